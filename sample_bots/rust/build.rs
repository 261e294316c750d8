//! Makes the messages and the client of the protocol from its files, without protoc.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    const PROTO: &str = "../../proto";
    println!("cargo::rerun-if-changed={PROTO}/arena");
    let files = protox::compile(["arena/v1/arena.proto"], [PROTO])?;
    tonic_prost_build::configure().build_server(false).compile_fds(files)?;
    Ok(())
}

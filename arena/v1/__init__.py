"""The protocol's generated stubs (`make proto`); `proto/` is their source and their manual."""

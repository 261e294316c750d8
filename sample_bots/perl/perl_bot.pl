#!/usr/bin/env perl
# A bot in Perl, for the JSON form of the line bridge (proto/bridge.md). It plays every game that is offered.
#
#     arena bridge --server 127.0.0.1:7878 -- perl perl_bot.pl
use strict;
use warnings;
use JSON::PP;

$| = 1;    # flush after each answer: without it the answers would stay in Perl's buffer

my $json  = JSON::PP->new->canonical;
my $ranks = '23456789TJQKA';

while (my $line = <STDIN>) {
    my $told = $json->decode($line);
    if ($told->{kind} eq 'decision') {
        my ($action, $note) = choose($told);
        print $json->encode({ action => $action, note => $note }), "\n";
    }
    elsif ($told->{kind} eq 'rejected') {
        warn "refused: $told->{text}\n";    # stderr goes where the bridge's own goes; the question comes again
    }
}

# Where to change the strategy: an action out of legal, or its index, and a note for the replay.
sub choose {
    my ($decision) = @_;
    my ($view, @legal) = ($decision->{view}, @{ $decision->{legal} });
    my @plays = map { /^play (..)$/ ? $1 : () } @legal;
    return call($view, @legal) if $view->{phase} eq 'auction';
    return ($decision->{dice} % @legal, 'a throw of the dice') unless @plays;

    my @table  = $view->{table} ? @{ $view->{table}{cards} } : ();
    my $led    = $table[0] // '';
    my $height = sub { strength($_[0], $led, $view->{trump}) };
    my @cards  = sort { $height->($a) <=> $height->($b) } @plays;
    return ("play $cards[-1]", 'from the top') unless @table;
    my ($best) = sort { $b <=> $a } map { $height->($_) } @table;
    my ($win)  = grep { $height->($_) > $best } @cards;
    return $win ? ("play $win", 'as cheaply as it can be won') : ("play $cards[0]", 'it cannot be won');
}

# Bids its longest suit once, as low as can be, if it is long; else passes.
sub call {
    my ($view, @legal) = @_;
    my %length;
    $length{ substr $_, 1 }++ for @{ $view->{hand} };
    my ($longest) = sort { $length{$b} <=> $length{$a} || $a cmp $b } keys %length;
    my ($bid) = grep { /^bid [12]$longest$/ || /^bid 2$/ } @legal;
    return ($bid, "$length{$longest} cards of $longest") if $bid && $length{$longest} * 3 > @{ $view->{hand} };
    my ($pass) = grep { $_ eq 'pass' } @legal;
    return ($pass // $legal[0], 'nothing to bid');
}

# How high a card counts in a trick to which $led was led.
sub strength {
    my ($card, $led, $trump) = @_;
    my $suit = substr $card, 1;
    my $class = $suit eq $trump ? 200 : $led && $suit eq substr($led, 1) ? 100 : 0;
    return $class + index $ranks, substr $card, 0, 1;
}

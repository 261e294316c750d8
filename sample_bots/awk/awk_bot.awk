# A bot in awk, for the text form of the line bridge (proto/bridge.md). It plays every game that is offered.
#
#     arena bridge --server 127.0.0.1:7878 --text -- awk -W interactive -f awk_bot.awk
#
# Every line that it reads is a name and then words. Those between "decision" and "choose" are one question; all else
# is news, which this bot does without.

BEGIN { RANKS = "23456789TJQKA" }

$1 == "decision" { count = 0; trump = phase = table = hand = ""; split("", legal) }
$1 == "phase"    { phase = $2 }
$1 == "hand"     { hand = $0 }
$1 == "trump"    { trump = $2 }
$1 == "table"    { table = $0 }
$1 == "dice"     { dice = $2 }
$1 == "legal"    { legal[count++] = substr($0, index($0, $3)) }
$1 == "rejected" { print "refused:", $0 > "/dev/stderr" }
$1 == "choose"   { print answer(); fflush() }    # without fflush the answer would stay in awk's buffer

# Where to change the strategy: what is returned is one of the legal actions or its index.
function answer() {
    if (phase == "auction") return call()
    if (phase == "play" || phase == "draw") return card()
    return dice % count
}

# Bids its longest suit while that is low, and only where it is long; else passes.
function call(    i, n, words, suit, held, longest) {
    n = split(hand, words, " ")    # hand QC TD AD QH JS QS
    for (i = 2; i <= n; i++) {
        suit = substr(words[i], 2)
        if (++held[suit] > held[longest]) longest = suit
    }
    for (i = 0; i < count; i++)
        if (3 * held[longest] > n && legal[i] ~ "^bid ([12]" longest "|2)$") return i " # long in " longest
    for (i = 0; i < count; i++) if (legal[i] == "pass") return i
    return 0
}

# The highest card when leading; else the lowest that wins, or the lowest of all.
function card(    i, words, n, led, best, mine, low, win, high) {
    n = split(table, words, " ")    # table leader 1 cards TD 4H
    low = win = high = -1
    led = words[5]
    for (i = 5; i <= n; i++) if (strength(words[i], led) > best) best = strength(words[i], led)
    for (i = 0; i < count; i++) {
        if (legal[i] !~ /^play /) continue
        mine = strength(substr(legal[i], 6), led)
        if (low < 0 || mine < strength(substr(legal[low], 6), led)) low = i
        if (high < 0 || mine > strength(substr(legal[high], 6), led)) high = i
        if (led && mine > best && (win < 0 || mine < strength(substr(legal[win], 6), led))) win = i
    }
    if (low < 0) return dice % count
    if (!led) return legal[high] " # from the top"
    return win < 0 ? low : win
}

# How high a card counts in a trick to which `led` was led.
function strength(name, led,    suit) {
    suit = substr(name, 2)
    return index(RANKS, substr(name, 1, 1)) + (suit == trump ? 200 : suit == substr(led, 2) ? 100 : 0)
}

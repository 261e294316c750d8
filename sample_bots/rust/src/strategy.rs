//! Which action to choose: the file to change.

use crate::proto::{Call, CallKind, Decision, View, action::Kind};

/// The index of a legal action, and a note for the replay. It knows nothing but the question, so a broken stream costs
/// it nothing. It may be shown cards, words and actions of which it has never heard.
pub fn choose(decision: &Decision) -> (u32, String) {
    let view = decision.view.clone().unwrap_or_default();
    let worths = decision.legal.iter().map(|action| match &action.kind {
        Some(Kind::Call(call)) => worth_of_call(call, &view.hand),
        Some(Kind::Discard(discard)) => -discard.cards.iter().map(|&card| rank(card)).sum::<i64>(),
        Some(Kind::Play(play)) => worth_of_card(play.card, &view),
        Some(Kind::Draw(_)) | None => 0,
    });
    let (index, worth) = worths.enumerate().rev().max_by_key(|&(_, worth)| worth).unwrap_or_default();
    (index as u32, format!("worth {worth}, best of {}", decision.legal.len()))
}

/// 0 for a pass, and more for a bid that the hand can make: by its high cards and trumps, in half tricks.
fn worth_of_call(call: &Call, hand: &[i32]) -> i64 {
    let high = |card| (rank(card) - 11).max(0);
    // Where a bid names no trump, half of the cards may well be.
    let trump = |card| if call.strain == 0 { 1 } else { 2 * i64::from(suit(card) == call.strain) };
    let half_tricks: i64 = hand.iter().map(|&card| high(card) + trump(card)).sum();
    match call.kind() {
        CallKind::Pass => 0,
        CallKind::Bid => half_tricks - hand.len() as i64 - 2 * i64::from(call.level),
        _ => -1, // it never doubles
    }
}

/// Wins a trick as cheaply as it can, and throws its lowest card where it cannot, or where that trick is of no use.
fn worth_of_card(card: i32, view: &View) -> i64 {
    let trick = view.table.clone().unwrap_or_default().cards;
    let power = |card| rank(card) + 20 * i64::from(suit(card) == view.trump);
    let beats = |one, other| power(one) > power(other) && (suit(one) == suit(other) || suit(one) == view.trump);
    let holder = trick.iter().copied().reduce(|holder, card| if beats(card, holder) { card } else { holder });
    let by_partner = |holder| trick.iter().rev().position(|&card| card == holder).is_some_and(|back| back % 2 == 1);
    let is_wanted = view.phase != "draw" || rank(view.shown) > 9; // that trick wins the card which is shown
    match holder {
        None if is_wanted => rank(card), // it leads
        Some(holder) if is_wanted && beats(card, holder) && !by_partner(holder) => 100 - power(card),
        _ => -power(card),
    }
}

fn suit(card: i32) -> i32 {
    card / 16
}

fn rank(card: i32) -> i64 {
    i64::from(card % 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::{Action, Card, Play, Strain, Trick};

    fn played(hand: &[Card], trick: &[Card], trump: Strain) -> Card {
        let hand: Vec<i32> = hand.iter().map(|&card| card.into()).collect();
        let table = Trick { cards: trick.iter().map(|&card| card.into()).collect(), ..Default::default() };
        let legal = hand.iter().map(|&card| Action { kind: Some(Kind::Play(Play { card })) }).collect();
        let view = View { hand: hand.clone(), table: Some(table), trump: trump.into(), ..Default::default() };
        let (index, _) = choose(&Decision { view: Some(view), legal, ..Default::default() });
        Card::try_from(hand[index as usize]).unwrap()
    }

    #[test]
    fn a_trick_is_won_as_cheaply_as_it_can_be() {
        let hand = [Card::D2, Card::D9, Card::Da];
        assert_eq!(played(&hand, &[Card::D8], Strain::Notrump), Card::D9);
        assert_eq!(played(&hand, &[Card::Dk], Strain::Notrump), Card::Da);
        assert_eq!(played(&hand, &[Card::C8], Strain::Diamonds), Card::D2);
    }

    #[test]
    fn the_lowest_card_is_thrown_when_a_trick_is_lost_or_a_partner_has_it() {
        assert_eq!(played(&[Card::D2, Card::Da], &[Card::S3], Strain::Hearts), Card::D2);
        assert_eq!(played(&[Card::D9, Card::Da], &[Card::Dk, Card::D7], Strain::Hearts), Card::D9);
    }

    #[test]
    fn a_hand_is_bid_as_low_as_it_can_be_and_a_weak_one_passes() {
        let calls = [CallKind::Pass, CallKind::Bid, CallKind::Bid, CallKind::Double].into_iter().zip([0, 2, 1, 0]);
        let call = |(kind, level): (CallKind, u32)| Call { kind: kind.into(), level, strain: Strain::Spades.into() };
        let legal = Vec::from_iter(calls.map(|bid| Action { kind: Some(Kind::Call(call(bid))) }));
        let strong =
            vec![Card::Sa, Card::Sk, Card::Sq, Card::S9, Card::Ha, Card::C2].into_iter().map(i32::from).collect();
        for (hand, expected) in [(strong, 2), (vec![Card::H2.into(), Card::H3.into()], 0)] {
            let view = View { hand, ..Default::default() };
            assert_eq!(choose(&Decision { view: Some(view), legal: legal.clone(), ..Default::default() }).0, expected);
        }
    }

    #[test]
    fn what_it_has_never_heard_of_is_chosen_by_its_index() {
        let legal = vec![Action { kind: None }, Action { kind: None }];
        let view = View { hand: vec![0, -7, i32::MAX], phase: "duel".into(), trump: 99, ..Default::default() };
        assert_eq!(choose(&Decision { view: Some(view), legal, ..Default::default() }).0, 0);
        assert_eq!(choose(&Decision::default()).0, 0);
    }
}

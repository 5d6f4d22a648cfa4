import { flushSync } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { EMPTY, registered, send, stakesOf, type Change, type Kind, type Slip } from '../src/lib/betting/betting';
import type { SeatSource } from '../src/lib/live/source';
import { Words } from '../src/lib/i18n/words.svelte';
import { complaintText } from '../src/screens/terminal/complaint';
import { Hand } from '../src/screens/terminal/hand.svelte';
import { book, limits } from './fixtures';
import { seat, table } from './liveViews';

const BOOK = book('mbs-fusion');

afterEach(() => vi.unstubAllGlobals());

/** A seat whose changes are registered at once. */
function sat(): { hand: Hand; touch: (...bets: string[]) => void; open: (yes: boolean) => void; lies: () => Slip['registered']; lay: (stakes: Slip['registered']) => void; end: () => void } {
  let slip = $state.raw(EMPTY);
  let isOpen = $state(true);
  const change = (what: Change, kind: Kind): void => {
    const sent = send(slip, what, kind);
    slip = registered(sent, sent.onTheWay.at(-1)!.id, stakesOf(sent));
  };
  const source = { get slip() { return slip; }, book: BOOK, table: table({ limits: limits(BOOK.view) }), seat: seat({}, { credits_cents: 100_000 }), lastStakes: {}, change } as unknown as SeatSource;
  const hand = new Hand(() => source, () => isOpen, () => null);
  const end = $effect.root(() => {
    $effect(() => hand.take(BOOK));
    $effect(() => hand.rest());
  });
  flushSync();
  return {
    hand, end, lies: () => slip.registered,
    touch: (...bets) => bets.forEach((bet) => { hand.touch(bet); flushSync(); }),
    open: (yes) => { isOpen = yes; flushSync(); },
    lay: (stakes) => { slip = { ...slip, registered: stakes }; flushSync(); },
  };
}

test('with the last chip off, touches place chips again', () => {
  const { hand, touch, lies, end } = sat();
  touch('red', 'black');
  hand.act('takeOff');
  touch('red');
  expect([hand.mode, hand.can().takeOff]).toEqual(['takeOff', true]);
  touch('black');
  expect([hand.mode, hand.can().takeOff]).toEqual(['place', false]);
  touch('odd');
  expect(lies()).toEqual({ odd: 500 });
  end();
});

test('when bets are closed nothing is taken off or moved any more, nor in the next round', () => {
  const { hand, touch, open, lay, lies, end } = sat();
  touch('red');
  hand.act('move');
  touch('red');
  expect(hand.moving).toBe('red');
  open(false);
  lay({});
  open(true);
  expect([hand.mode, hand.moving]).toEqual(['place', null]);
  touch('black');
  expect(lies()).toEqual({ black: 500 });
  end();
});

test('a bet that the dealer took off is not moved', () => {
  const { hand, touch, lay, end } = sat();
  touch('red', 'black');
  hand.act('move');
  touch('red');
  lay({ black: 500 });
  expect([hand.mode, hand.moving]).toEqual(['move', null]);
  end();
});

test('what is wrong with an announced bet is said by its name', () => {
  const { hand, touch, end } = sat();
  touch('red');
  hand.act('takeOff');
  touch('tiers');
  expect(complaintText(new Words(), BOOK, hand.complaint!)).toBe('You have no chip on Tiers.');
  hand.act('move');
  touch('tiers');
  expect([hand.moving, complaintText(new Words(), BOOK, hand.complaint!)]).toEqual([null, 'Tiers lies on several bets. Each is moved by itself: touch the bet on the table.']);
  end();
});

test('where nothing may be stored, another chip leaves the reach and the favourites as they are', () => {
  const refuse = (): never => { throw new DOMException('denied', 'SecurityError'); };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  const { hand, touch, end } = sat();
  touch('red');
  hand.save('mine');
  hand.reachTo(4);
  hand.choose(2500);
  flushSync();
  expect([hand.reach, hand.favourites.map(({ name }) => name), hand.chip]).toEqual([4, ['mine'], 2500]);
  end();
});

test('what a phone looks at is kept with chip and reach, as far as the layout has it', () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, text: string) => kept.set(key, text) });
  const first = sat();
  expect(first.hand.tab).toBe('board');
  first.hand.show('race');
  first.end();
  const again = sat();
  expect(again.hand.tab).toBe('race');
  again.end();
  for (const [key, text] of kept) kept.set(key, text.replace('race', 'elsewhere'));
  const later = sat();
  expect(later.hand.tab).toBe('board');
  later.end();
});

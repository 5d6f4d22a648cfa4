/** What a second person is asked to sign for: the command by its name, and the facts that make it this one. */
import type { Book } from '../../lib/book/book';
import { titleText } from '../../lib/i18n/house';
import type { Words } from '../../lib/i18n/words.svelte';
import type { ConsoleView, Do, TableView } from '../../lib/live/wire';
import { nameOfBox } from './excess';
import { calledOf, titleOf } from './reasons';

/** What machines report, and what is a matter of the floor, never takes two people. */
type Alone = 'recall-round' | 'report-wheel' | 'commit-spin' | 'open-commitment' | 'call-attendant' | 'answer-call';
export type Signed = Exclude<Do['type'], Alone>;

export interface At { book: Book; table: TableView | null; console: ConsoleView | null }

export function titleOfCommand(words: Words, what: Do): string {
  return words.t(`command.${what.type as Signed}`);
}

/** Seat and amount, result, rounds, reason: as much of it as the command has, in one line. */
export function factsOfCommand(words: Words, at: At, what: Do): string {
  return factsOf(words, at, what).filter((fact) => fact !== '').join(' · ');
}

function factsOf(words: Words, { book, table, console }: At, what: Do): string[] {
  const seat = (id: string): string => `${words.t('seat')} ${id}`;
  const rounds = (...numbers: readonly number[]): string => (numbers.length ? words.t('command.rounds', { n: numbers.length, rounds: words.list(numbers.map(words.number)) }) : '');
  const running = table?.round ? rounds(table.round.number) : '';
  const bet = (id: string): string => {
    return nameOfBox(words, book, id);
  };
  const credits = (id: string): string => {
    const cents = console?.seats.find((line) => line.seat === id)?.credits_cents;
    return cents === undefined ? '' : words.amount(cents);
  };
  switch (what.type) {
    case 'open-round': return [rounds((table?.round_number ?? 0) + 1)];
    case 'close-bets':
    case 'start-spin':
    case 'finish-spin': return [running];
    case 'enter-result':
    case 'confirm-result': return [running, calledOf(words, book, what.result)];
    case 'state-outcome': return [running, what.result === null ? words.t('con.noValidOutcome') : calledOf(words, book, what.result)];
    case 'declare-interruption': return [running, what.spun ? words.t('con.statesSpun.short') : '', what.reason];
    case 'uphold-result': return [rounds(what.round), what.reason];
    case 'correct-result': return [rounds(what.round), calledOf(words, book, what.result), what.reason];
    case 'settle-carried': return [rounds(what.round), seat(what.seat), `${words.amount(what.cents)} ${words.own(`carried.${what.how}`) ?? what.how}`, what.reason];
    case 'call-no-spin': return [running];
    case 'declare-irregularity': {
      const cause = book.view.irregularities.find((each) => each.cause === what.cause);
      return [cause ? titleOf(words, book, cause) : what.cause, what.rounds?.length ? rounds(...what.rounds) : running, what.note ?? ''];
    }
    case 'decide': return [rounds(what.round), words.own(`con.decide.${what.ruling}`) ?? what.ruling, what.reason];
    case 'buy-credits': return [seat(what.seat), words.amount(what.cents)];
    case 'cash-out':
    case 'pay-by-attendant':
    case 'clear-lock-up': return [seat(what.seat), credits(what.seat)];
    case 'place-bets':
    case 'take-bets': return [seat(what.seat), ...what.stakes.map((stake) => `${bet(stake.bet)} ${words.amount(stake.cents)}`)];
    case 'move-bet': return [seat(what.seat), `${bet(what.source)} → ${bet(what.destination)}`, words.amount(what.cents)];
    case 'advise-minimum':
    case 'reject-advised': return [seat(what.seat), bet(what.bet)];
    case 'reject-excess': {
      const box = console?.stakes?.boxes.find((each) => each.bet === what.bet);
      return [bet(what.bet), box ? words.amount(box.excess_cents) : ''];
    }
    case 'open-seat': return [seat(what.seat), what.layout && table && table.layouts.length > 1 ? `${words.t('layout')} ${what.layout}` : ''];
    case 'clear-bets':
    case 'close-seat':
    case 'call-attendant':
    case 'answer-call': return [seat(what.seat)];
    case 'resume-table':
    case 'change-limits': return [titleText(words, what.reason)];
    default: return [table ? `${words.t('table')} ${table.table}` : ''];
  }
}

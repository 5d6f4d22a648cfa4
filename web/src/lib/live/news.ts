/**
 * What has happened to a player's bets beside the ordinary course of a round: put together from events, kept
 * until it is read, because it may come while the player looks elsewhere or the page is loaded again.
 */
import type { Told } from './wire';

interface Any { seq: number; at_ms: number; round: number | null; clause: string | null }

/**
 * What a round gave back before it was settled again and after (null where the seat had no bets in it), what the credits could not take of that,
 * what they moved by, and how what the house wrote off and the player keeps beside it changed.
 */
export interface Resettled { before_cents: number | null; after_cents: number; carried_cents: number; moved_cents: number; given_up_cents: number }

export type News =
  /** A result was put right; `old` and `new` are null where there was none or the round is void. */
  | Any & { kind: 'correction'; old: string | null; new: string | null; reason: string } & Resettled
  | Any & { kind: 'interruption'; consequence: string; lasted_ms: number | null }
  | Any & { kind: 'decision'; ruling: string; reason: string; returned_cents: number } & Partial<Resettled>
  /** `cause` is missing in news that a browser kept from before. */
  | Any & { kind: 'rejected'; bet: string; cents: number; cause?: string }
  | Any & { kind: 'advised'; bet: string; cents: number }
  /** The table closes soon; how soon is what the table says, as long as it stands so. */
  | Any & { kind: 'last-round' }
  | Any & { kind: 'limits'; reason: string }
  /** What a correction had left open was paid or collected by hand. */
  | Any & { kind: 'by-hand'; how: string; cents: number }
  /** All credits were paid out by hand. */
  | Any & { kind: 'paid'; cents: number };

const MOST = 8;

/** The news after one more event, newest first; the same list where the event is none. */
export function newsAfter(news: readonly News[], told: Pick<Told, 'seq' | 'at_ms' | 'event'>): readonly News[] {
  const { event } = told;
  const any = (round: number | null, clause: string | null): Any => ({ seq: told.seq, at_ms: told.at_ms, round, clause });
  switch (event.type) {
    case 'result-corrected':
      return event.settled ? corrected(news, any(event.round, event.clause), { old: event.old, new: event.new, reason: event.reason ?? '' }) : news;
    case 'seat-corrected': {
      const act = any(event.round, event.clause);
      const facts: Resettled = { before_cents: event.returned_before_cents, after_cents: event.returned_cents, carried_cents: event.carried_cents, moved_cents: event.moved_cents, given_up_cents: event.given_up_cents };
      const isDecided = news.some((each) => each.kind === 'decision' && each.ruling === 'return-bets' && each.round === event.round && isSameAct(each, act));
      return isDecided ? decided(news, act, facts) : corrected(news, act, { new: event.result, ...facts });
    }
    case 'table-interrupted':
      return added(news, { ...any(event.round, event.clause), kind: 'interruption', consequence: event.consequence, lasted_ms: event.length_known === false ? null : event.ended_ms - event.began_ms });
    case 'decision-recorded':
      return decided(news, any(event.round, event.clause), { ruling: event.ruling, reason: event.reason });
    case 'seat-returned':
      return event.void ? news : decided(news, any(event.round, event.clause), { returned_cents: event.cents });
    case 'bets-rejected':
      return added(news, { ...any(event.round, event.clause), kind: 'rejected', bet: event.bet, cents: event.cents, cause: event.cause });
    case 'minimum-advised':
      return added(news, { ...any(event.round, event.clause), kind: 'advised', bet: event.bet, cents: event.minimum_cents });
    case 'last-round-announced':
      return added(news.filter((each) => each.kind !== 'last-round'), { ...any(null, null), kind: 'last-round' });
    case 'limits-changed':
      return added(news, { ...any(null, event.clause), kind: 'limits', reason: event.reason });
    case 'carried-settled':
      return added(news, { ...any(event.round, event.clause), kind: 'by-hand', how: event.how, cents: event.cents });
    case 'credits-paid-out':
      return !event.voucher ? added(news, { ...any(null, event.clause), kind: 'paid', cents: event.cents }) : news;
    case 'credits-bought':
      // Whoever buys in has been paid, or is somebody else.
      return paidOut(news).length ? news.filter((each) => each.kind !== 'paid') : news;
    default:
      return news;
  }
}

/** What is left to be read after a visit is over: that the credits were paid out ended it. */
export const paidOut = (news: readonly News[]): readonly News[] => news.filter((each) => each.kind === 'paid');

export const without = (news: readonly News[], read: News): readonly News[] => news.filter((each) => each.seq !== read.seq);

type Of<K extends News['kind']> = Extract<News, { kind: K }>;

/** A correction is told by two events, of the round and of the seat, in either order. */
function corrected(news: readonly News[], any: Any, facts: Partial<Of<'correction'>>): readonly News[] {
  const begun = news.find((each): each is Of<'correction'> => each.kind === 'correction' && each.round === any.round && isSameAct(each, any));
  const base: Of<'correction'> = begun ?? { ...any, kind: 'correction', old: null, new: null, reason: '', before_cents: null, after_cents: 0, carried_cents: 0, moved_cents: 0, given_up_cents: 0 };
  return added(begun ? without(news, begun) : news, { ...base, ...facts });
}

function decided(news: readonly News[], any: Any, facts: Partial<Of<'decision'>>): readonly News[] {
  const begun = news.find((each): each is Of<'decision'> => each.kind === 'decision' && each.round === any.round && isSameAct(each, any));
  const base: Of<'decision'> = begun ?? { ...any, kind: 'decision', ruling: '', reason: '', returned_cents: 0 };
  return added(begun ? without(news, begun) : news, { ...base, ...facts });
}

/** What one command has caused carries one time. */
const isSameAct = (one: Any, other: Any): boolean => one.at_ms === other.at_ms;

function added(news: readonly News[], one: News): readonly News[] {
  return [one, ...news.filter((each) => each.seq !== one.seq)].slice(0, MOST);
}

/** What a browser has kept, as far as it is news. */
export function readNews(found: unknown): readonly News[] {
  const isNews = (each: unknown): each is News => typeof each === 'object' && each !== null && 'kind' in each && 'seq' in each;
  return Array.isArray(found) ? found.filter(isNews).slice(0, MOST) : [];
}

/** What is known of a spin: what sensors say, or that a person looks at the wheel and nothing is measured. */
import type { Key } from '../../lib/i18n/words.svelte';
import type { SpinFinishedTold, SpinStartedTold, TableView, WheelView } from '../../lib/live/wire';

export interface Watched {
  table: TableView;
  wheel: WheelView;
  fault: string | null;
  started: SpinStartedTold | undefined;
  finished: SpinFinishedTold | undefined;
  /** Whether the last spin was reported by the wheel; null where nobody has seen one yet. */
  spunByWheel: boolean | null;
}

/** Whether this spin, or the next one, is stated by a person. */
export function isByHand({ table, started, finished, spunByWheel }: Watched): boolean {
  if (finished?.said_by === 'wheel' || started?.said_by === 'wheel') return false;
  return started !== undefined || (table.round?.spin == null && spunByWheel === false);
}

/** Where ball and wheel are now, in the words of the panel. A registered result is where it rests, whoever says so. */
export function stateOfWheel({ table, wheel, fault }: Watched): Key {
  const isBall = wheel.kind === 'ball';
  const { round } = table;
  if (fault !== null) return 'con.wheel.fault';
  if (table.awaits_outcome) return 'con.wheel.unknown';
  const rests = round ? round.result !== null || round.spin?.finished === true : (table.outcomes[0]?.result ?? null) !== null;
  if (rests) return isBall ? 'con.wheel.rests' : 'con.wheel.stands';
  if (round?.spin) return isBall ? 'con.rolling' : 'con.turning';
  return isBall ? 'con.wheel.noBall' : 'con.wheel.ready';
}

/** One thing about the spin: right, wrong, or not known. */
export interface Flag { good: boolean | null; text: Key; facts?: Record<string, string | number> }

/** What is right and wrong with the spin, but for where the sensor saw it end and for faults. */
export function flagsOf(watched: Watched): Flag[] {
  const { table, wheel, started, finished } = watched;
  const isBall = wheel.kind === 'ball';
  if (isByHand(watched)) return [{ good: null, text: 'con.flag.byHand' }, { good: null, text: 'con.flag.count', facts: { n: wheel.revolutions } }];
  const spin = table.round?.spin ?? null;
  const ball = spin?.ball ?? started?.ball ?? null;
  const rotor = spin?.wheel ?? started?.wheel ?? null;
  const turns = spin?.revolutions ?? finished?.revolutions ?? null;
  const same = wheel.opposite_direction && ball !== null && ball === rotor;
  const flags: Flag[] = [];
  if (isBall) flags.push({ good: same ? false : ball === null || rotor === null ? null : true, text: same ? 'con.flag.same' : ball === null ? (spin ? 'con.flag.directionUnknown' : 'con.flag.direction') : 'con.flag.opposite' });
  flags.push({ good: started?.wheel_turning ?? null, text: started?.wheel_turning === false ? 'con.flag.still' : 'con.flag.turning' });
  flags.push({ good: turns === null ? null : turns >= wheel.revolutions, text: turns === null ? 'con.flag.revolutionsYet' : turns >= wheel.revolutions ? 'con.flag.revolutions' : 'con.flag.fewRevolutions', facts: { n: wheel.revolutions } });
  flags.push({ good: finished ? finished.at_rest : null, text: !finished ? 'con.flag.restYet' : finished.at_rest ? (isBall ? 'con.flag.compartment' : 'con.flag.segment') : isBall ? 'con.flag.noCompartment' : 'con.flag.noSegment' });
  return flags;
}

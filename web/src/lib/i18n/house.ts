/** What the house says, in the language of a screen: refusals, notices, the journal's sentences, clauses. */
import { blanksOf, retold, type Calling, type Pair } from './retelling';
import type { Facts, Words } from './words.svelte';

/** A refusal, of the table or of the house's other doors. */
export interface Refused { code: string; sentence: string; facts?: Readonly<Record<string, string | number | null>> | undefined }

/** Sentences by what they are about, each as pairs of English and the language. */
export interface Sentences { notices: readonly Pair[]; titles: readonly Pair[] }
/** The journal's sentences by the kind of event, and what their facts are called. */
export type Records = Readonly<Record<string, readonly Pair[]>> & { values: Readonly<Record<string, Readonly<Record<string, string>>>> };

/** Why something was not done: in the words of the language where it has them, else in the house's own. */
export function refusalText(words: Words, refused: Refused): string {
  return words.own(`rejection.${refused.code}`, factsOf(words, refused.facts ?? {})) ?? grouped(words, refused.sentence);
}

/** The house writes amounts for machines too, without anything between thousands; screens write them as all others. */
function grouped(words: Words, sentence: string): string {
  return sentence.replace(/(?<![\d.,])\d{4,}\.\d{2}(?!\d|[.,]\d)/g, (amount) => words.amount(Math.round(100 * Number(amount))));
}

/** The layouts of a table in words; nothing where its book has one alone. */
export function layoutsText(words: Words, layouts: readonly string[]): string {
  return layouts.length === 1 && layouts[0] === 'main' ? '' : words.t('layouts', { n: layouts.length, layouts: words.list(layouts) });
}

/** What went wrong, as a sentence; an error of the house has a code, any other one only its message. */
export function errorText(words: Words, error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, facts } = error as Error & Partial<Refused>;
  return typeof code === 'string' ? refusalText(words, { code, sentence: error.message, facts }) : error.message;
}

function factsOf(words: Words, facts: Readonly<Record<string, string | number | null>>): Facts {
  const known = Object.entries(facts).filter((fact): fact is [string, string | number] => fact[1] !== null);
  return Object.fromEntries(known.map(([name, value]) => [name, factOf(words, name, value)]));
}

function factOf(words: Words, name: string, value: string | number): string | number {
  if (name.endsWith('_cents') || name === 'cents') return words.amount(Number(value));
  if (name.endsWith('_ms')) return words.time(Number(value));
  if (name === 'position') return words.own(`position.${value}`) ?? String(value).replaceAll('-', ' ');
  if (name === 'fault') return words.own(`fault.${value}`) ?? value;
  return value;
}

/** What players read, in words that the language has for it. */
export function noticeText(words: Words, notice: string): string {
  return retold(words.sentences.notices, notice, callingOf(words)) ?? notice;
}

/** What players read, on record: in the words that stood there, and in the language. */
function readText(words: Words, notice: string): string {
  const own = noticeText(words, notice);
  return own === notice ? notice : `${notice} · ${own}`;
}

/** The notice of a step of the round: that of an own book, which no language knows, goes by what the step says everywhere. */
export function noticeOf(words: Words, step: string, notice: string): string {
  const told = noticeText(words, notice);
  if (told !== notice) return told;
  const own = words.own(`notice.${step}`);
  return own === undefined || blanksOf(own).length ? notice : own;
}

/** An irregularity as the book calls it, or a reason that somebody wrote. */
export function titleText(words: Words, title: string): string {
  return retold(words.sentences.titles, title, (_kind, fact) => fact) ?? title;
}

/** One sentence of the journal about an event of this kind. */
export function recordText(words: Words, kind: string, sentence: string): string {
  return grouped(words, recordRetold(words, kind, sentence));
}

function recordRetold(words: Words, kind: string, sentence: string): string {
  const { records } = words;
  if (!records) return sentence;
  const calling = callingOf(words);
  const plain = retold(records[kind] ?? [], sentence, calling);
  // What the office did has where it came from behind it.
  const [english, own] = records['from']?.[0] ?? ['', ''];
  const address = /, from ([^,\s]+)\.$/.exec(sentence);
  if (!address || !english) return plain ?? sentence;
  const told = retold(records[kind] ?? [], `${sentence.slice(0, address.index)}.`, calling);
  return told === undefined ? (plain ?? sentence) : own.replace('{sentence}', told.replace(/[。.]$/, '')).replace('{address}', address[1]!);
}

/** What the facts of a sentence are called. */
const callingOf = (words: Words): Calling => (kind, fact, all) => {
  switch (kind) {
    case 'notice': return readText(words, fact.replace(/^(['"])(.*)\1$/s, '$2'));
    case 'title':
    case 'reason': return words.records?.values['reason']?.[fact] ?? titleText(words, fact);
    case 'irregularity': return words.own(`irregularity.${fact}`) ?? fact;
    case 'fault': return words.own(`fault.${fact}`) ?? fact;
    case 'result': return colouredText(words, fact);
    case 'refusal': return words.own(`rejection.${all['code']}`) ?? fact;
    case 'bets': return betsText(words, fact);
    case 'lines': return linesText(words, fact);
    case 'device': return deviceText(words, fact);
    case 'work': return fact.split(' and ').map((part) => workText(words, part)).join('、');
    default: return words.records?.values[kind]?.[fact] ?? fact;
  }
};

/** A result with its colour, as in `17 Black`. */
function colouredText(words: Words, result: string): string {
  return result.replace(/\b(red|black|green)\b/i, (colour) => words.own(`colour.${colour.toLowerCase()}`) ?? colour);
}

/** Bets by their ids, as in `split:17/20 +5.00, red -2.00 (tiers)`. */
function betsText(words: Words, text: string): string {
  return text.replace(/([a-z]+(?:-[a-z]+)*)(:[\w/]+)?/g, (id, kind: string, which: string | undefined) => {
    const bet = words.own(`bet.${kind}`) ?? words.own(`call.${kind}`);
    return bet === undefined ? id : which === undefined ? bet : `${bet} ${which.slice(1)}`;
  }).replaceAll(', ', '，');
}

/** How bets ended, as in `red 5.00 won, back 10.00`. */
function linesText(words: Words, text: string): string {
  const ends = words.records?.values['lines'] ?? {};
  const told = text.replace(/ (won, back|lost, back|returned|counted) /g, (end, how: string) => (ends[how] ? ` ${ends[how]} ` : end));
  return betsText(words, told);
}

/** A device, as in `a terminal of table R1, seat 2`. */
function deviceText(words: Words, text: string): string {
  const found = /^a (?<kind>\w+)(?: of table (?<table>[^,]+))?(?:, seat (?<seat>.+))?$/.exec(text)?.groups;
  if (!found) return text;
  const kind = words.records?.values['device']?.[found['kind']!] ?? found['kind']!;
  return [found['table'] && `${words.t('table')} ${found['table']}`, found['seat'] && `${words.t('seat')} ${found['seat']}`, kind].filter(Boolean).join(' ');
}

function workText(words: Words, work: string): string {
  return words.own(`position.${work.replaceAll(' ', '-')}`) ?? words.own(`duty.${work}`) ?? work;
}

/**
 * The words of a screen in the language that was chosen. A language is a file in `web/messages`, and one in each
 * folder there for what the house says; English comes with the page, every other one is fetched when it is
 * chosen. What the house says is English already.
 */
import { getContext, setContext } from 'svelte';
import english from '../../../messages/en.json';
import type { Records, Sentences } from './house';
import { blanksOf } from './retelling';

/** A sentence; or its forms by the plural rules of the language; or several, of which the first counts that has all its facts. */
type Message = string | readonly string[] | { [form: string]: string };
export type Messages = Record<string, Message>;
export type Key = keyof typeof english;
export type Facts = Record<string, string | number>;

const OTHERS = import.meta.glob<Messages>(['../../../messages/*.json', '!../../../messages/en.json'], { import: 'default' });
const codeOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.json'.length);

/** Every language there is, English first. */
export const LANGUAGES: readonly string[] = ['en', ...Object.keys(OTHERS).map(codeOf).sort()];

/** By how much clocks are set back at the end of summer, wherever that is done: an hour, half of one, two. */
const SET_BACK_MS = [3_600_000, 1_800_000, 7_200_000];

const ENGLISH: Messages = english;
const NO_SENTENCES: Sentences = { notices: [], titles: [] };

/** What a language says beside the words of the screens: a folder each, of which only what is needed is fetched. */
const PARTS = import.meta.glob<unknown>('../../../messages/{refusals,sentences,records,clauses}/*.json', { import: 'default' });
/** What not every screen shows: the journal's sentences, and the clauses of the books. */
export type Part = 'records' | 'clauses';

async function read<T>(part: string, language: string): Promise<T | null> {
  const load = Object.entries(PARTS).find(([path]) => path.endsWith(`/${part}/${language}.json`))?.[1];
  return load ? await load() as T : null;
}

export class Words {
  language = $state('en');
  #messages: Messages = $state.raw(ENGLISH);
  /** How the language says what the house has written down; nothing where it is the house's own. */
  sentences: Sentences = $state.raw(NO_SENTENCES);
  records: Records | null = $state.raw(null);
  #clauses: Readonly<Record<string, string>> = $state.raw({});
  #needed = new Set<Part>();
  #wanted = 'en';
  locale = $derived(text(this.#messages['locale']) || this.language);
  /** By whose clocks times are shown; those of this machine where nobody says. */
  zone: string | null = $state(null);
  #amounts = $derived(new Intl.NumberFormat(this.locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
  #wholes = $derived(new Intl.NumberFormat(this.locale, { maximumFractionDigits: 2 }));
  #briefs = $derived(new Intl.NumberFormat(this.locale, { notation: 'compact', maximumSignificantDigits: 3 }));
  #percents = $derived(new Intl.NumberFormat(this.locale, { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 }));
  #times = $derived(this.#clock({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }));
  #offsets = $derived(this.#clock({ hour: 'numeric', timeZoneName: 'shortOffset' }));
  #days = $derived(this.#clock({ day: 'numeric', month: 'short' }));
  #weekdays = $derived(this.#clock({ weekday: 'short', day: 'numeric', month: 'short' }));
  #dates = $derived(this.#clock({ dateStyle: 'medium' }));
  /** What stands between the words of a list; where a language would put nothing, as Chinese does, its own comma. */
  #between = $derived.by(() => {
    const parts = new Intl.ListFormat(this.locale, { type: 'unit', style: 'short' }).formatToParts(['1', '2']);
    return parts.find((part) => part.type === 'literal')?.value ?? '、';
  });
  #plurals = $derived(new Intl.PluralRules(this.locale));

  /** Changes the language once its file is there; an unknown one changes nothing. */
  async choose(language: string): Promise<void> {
    const load = Object.entries(OTHERS).find(([path]) => codeOf(path) === language)?.[1];
    if (language !== 'en' && !load) return;
    this.#wanted = language;
    const [messages, refusals, sentences] = await Promise.all([load?.(), read<Messages>('refusals', language), read<Sentences>('sentences', language)]);
    // Whoever has chosen another one meanwhile wants that one.
    if (language !== this.#wanted) return;
    const rejections = Object.entries(refusals ?? {}).map(([code, sentence]) => [`rejection.${code}`, sentence] as const);
    this.#messages = { ...ENGLISH, ...Object.fromEntries(rejections), ...messages };
    this.sentences = sentences ?? NO_SENTENCES;
    this.language = language;
    [this.records, this.#clauses] = [null, {}];
    await Promise.all([...this.#needed].map((part) => this.#read(part)));
  }

  /** A screen shows this part of what the house says, and goes on showing it when the language changes. */
  need(part: Part): void {
    if (this.#needed.has(part)) return;
    this.#needed.add(part);
    void this.#read(part);
  }

  /** A clause of a book, restated: in the language where it has it, else as the book does. */
  clause = (id: string, summary: string): string => this.#clauses[id] ?? summary;

  /** Shows times by the clocks of the house, as its tickets and reports do; a zone that this machine does not know changes nothing. */
  keepTimeOf(zone: string | undefined): void {
    if (zone === undefined) return;
    try {
      new Intl.DateTimeFormat('en', { timeZone: zone });
      this.zone = zone;
    } catch {
      this.zone = null;
    }
  }

  t = (key: Key, facts: Facts = {}): string => filled(this.#form(this.#messages[key], facts) ?? key, facts);

  /** A message that a language may have and English does not, because the book has the words. */
  own = (key: string, facts: Facts = {}): string | undefined => {
    const form = this.#form(this.#messages[key], facts);
    return form === undefined ? undefined : filled(form, facts);
  };

  /** Cents as money, always with two decimals. */
  amount = (cents: number): string => this.#amounts.format(cents / 100).replace('-', '−');
  /** Cents where amounts are compared: two decimals, and only where there are any. */
  whole = (cents: number): string => (cents % 100 ? this.amount(cents) : this.#wholes.format(cents / 100).replace('-', '−'));
  /** A large number where there is little room, for example 12.6M. */
  brief = (value: number): string => this.#briefs.format(value).replace('-', '−');
  /** Cents on a chip: as short as possible. */
  short = (cents: number): string => {
    const value = cents / 100;
    if (value >= 1_000_000) return `${+(value / 1_000_000).toFixed(1)}M`;
    return value >= 1000 ? `${+(value / 1000).toFixed(1)}k` : `${+value.toFixed(value % 1 ? 1 : 0)}`;
  };
  list = (words: readonly string[]): string => words.join(this.#between);
  number = (value: number): string => this.#wholes.format(value);
  percent = (share: number): string => this.#percents.format(share);
  /** What a clock shows now. */
  clock = (at: number): string => this.#times.format(at);
  /** When something was; a time that clocks show twice, because they are set back, says which of the two it is: 02:30:00 GMT+2. */
  time = (at: Date | number): string => {
    const shown = this.#times.format(at);
    if (!SET_BACK_MS.some((ms) => shown === this.#times.format(+at + ms) || shown === this.#times.format(+at - ms))) return shown;
    const offset = this.#offsets.formatToParts(at).find((part) => part.type === 'timeZoneName');
    return offset ? `${shown} ${offset.value}` : shown;
  };
  /** A day of this year. */
  day = (at: number): string => this.#days.format(at);
  weekday = (at: number): string => this.#weekdays.format(at);
  /** A whole date. */
  date = (at: number): string => this.#dates.format(at);
  /** A whole date with its time. */
  moment = (at: number): string => `${this.date(at)} ${this.time(at)}`;
  isSameDay = (at: number, other: number): boolean => this.date(at) === this.date(other);
  /** A length of time in hours and minutes. */
  duration = (ms: number): string => {
    const minutes = Math.max(0, Math.floor(ms / 60_000));
    return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
  };

  async #read(part: Part): Promise<void> {
    const { language } = this;
    if (part === 'records') {
      const records = await read<Records>(part, language);
      if (language === this.language) this.records = records;
    } else {
      const clauses = await read<Record<string, string>>(part, language);
      if (language === this.language) this.#clauses = clauses ?? {};
    }
  }

  #clock(parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    return new Intl.DateTimeFormat(this.locale, { ...parts, ...(this.zone !== null && { timeZone: this.zone }) });
  }

  #form(message: Message | undefined, facts: Facts): string | undefined {
    if (message === undefined || typeof message === 'string') return message;
    if (isList(message)) return message.find((each) => blanksOf(each).every((blank) => blank in facts)) ?? message.at(-1);
    const count = Number(facts['n'] ?? 0);
    return message[this.#plurals.select(count)] ?? message['other'];
  }
}

const isList = (message: readonly string[] | { [form: string]: string }): message is readonly string[] => Array.isArray(message);

function text(message: Message | undefined): string {
  return typeof message === 'string' ? message : '';
}

/** What somebody wrote may end with a full stop of its own: where one follows, there is one of them. */
function filled(sentence: string, facts: Facts): string {
  return sentence.replace(/\{(\w+)\}([.。]?)/g, (whole, name: string, stop: string) => {
    const fact = facts[name];
    if (fact === undefined) return whole;
    return stop ? `${String(fact).replace(/[.。\s]+$/, '')}${stop}` : String(fact);
  });
}

const CONTEXT = Symbol('words');

export function provideWords(words: Words): Words {
  return setContext(CONTEXT, words);
}

export function useWords(): Words {
  return getContext<Words>(CONTEXT);
}

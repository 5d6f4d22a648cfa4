/**
 * The words of a screen in the language that was chosen. A language is a file in `web/messages`; English comes
 * with the page, every other one is fetched when it is chosen. Words of a book stand in the book.
 */
import { getContext, setContext } from 'svelte';
import english from '../../../messages/en.json';

/** A sentence, or its forms by the plural rules of the language. */
type Message = string | { [form: string]: string };
export type Messages = Record<string, Message>;
export type Key = keyof typeof english;
export type Facts = Record<string, string | number>;

const OTHERS = import.meta.glob<Messages>(['../../../messages/*.json', '!../../../messages/en.json'], { import: 'default' });
const codeOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.json'.length);

/** Every language there is, English first. */
export const LANGUAGES: readonly string[] = ['en', ...Object.keys(OTHERS).map(codeOf).sort()];

const ENGLISH: Messages = english;

export class Words {
  language = $state('en');
  #messages: Messages = $state.raw(ENGLISH);
  locale = $derived(text(this.#messages['locale']) || this.language);
  #amounts = $derived(new Intl.NumberFormat(this.locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
  #wholes = $derived(new Intl.NumberFormat(this.locale, { maximumFractionDigits: 2 }));
  #percents = $derived(new Intl.NumberFormat(this.locale, { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 }));
  #times = $derived(new Intl.DateTimeFormat(this.locale, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }));
  #lists = $derived(new Intl.ListFormat(this.locale, { type: 'unit', style: 'short' }));
  #plurals = $derived(new Intl.PluralRules(this.locale));

  /** Changes the language once its file is there; an unknown one changes nothing. */
  async choose(language: string): Promise<void> {
    if (language === 'en') {
      this.#messages = ENGLISH;
    } else {
      const load = Object.entries(OTHERS).find(([path]) => codeOf(path) === language)?.[1];
      if (!load) return;
      this.#messages = { ...ENGLISH, ...await load() };
    }
    this.language = language;
  }

  t = (key: Key, facts: Facts = {}): string => filled(this.#form(this.#messages[key], facts) ?? key, facts);

  /** A message that a language may have and English does not, because the book has the words. */
  own = (key: string, facts: Facts = {}): string | undefined => {
    const form = this.#form(this.#messages[key], facts);
    return form === undefined ? undefined : filled(form, facts);
  };

  /** Cents as money, always with two decimals. */
  amount = (cents: number): string => this.#amounts.format(cents / 100).replace('-', '−');
  /** Cents where amounts are compared: decimals only where there are any. */
  whole = (cents: number): string => this.#wholes.format(cents / 100).replace('-', '−');
  /** Cents on a chip: as short as possible. */
  short = (cents: number): string => {
    const value = cents / 100;
    return value >= 1000 ? `${+(value / 1000).toFixed(1)}k` : `${+value.toFixed(value % 1 ? 1 : 0)}`;
  };
  list = (words: readonly string[]): string => this.#lists.format(words);
  number = (value: number): string => this.#wholes.format(value);
  percent = (share: number): string => this.#percents.format(share);
  time = (at: Date | number): string => this.#times.format(at);
  /** A length of time in hours and minutes. */
  duration = (ms: number): string => {
    const minutes = Math.max(0, Math.floor(ms / 60_000));
    return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
  };

  #form(message: Message | undefined, facts: Facts): string | undefined {
    if (message === undefined || typeof message === 'string') return message;
    const count = Number(facts['n'] ?? 0);
    return message[this.#plurals.select(count)] ?? message['other'];
  }
}

function text(message: Message | undefined): string {
  return typeof message === 'string' ? message : '';
}

function filled(sentence: string, facts: Facts): string {
  return sentence.replace(/\{(\w+)\}/g, (blank, name: string) => String(facts[name] ?? blank));
}

const CONTEXT = Symbol('words');

export function provideWords(words: Words): Words {
  return setContext(CONTEXT, words);
}

export function useWords(): Words {
  return getContext<Words>(CONTEXT);
}

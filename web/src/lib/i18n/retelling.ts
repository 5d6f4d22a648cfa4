/**
 * Sentences of the house in another language. The house writes what happened down in English, once and for all;
 * a language has for each such sentence a pair: how it reads in English, with blanks for its facts, and how the
 * language says the same. A sentence that no pair fits stays as the house wrote it.
 */
export type Pair = readonly [english: string, own: string];

/** What a fact is called in the language, by the kind that stands behind its name: `{wheel:way}`. */
export type Calling = (kind: string, fact: string, all: Readonly<Record<string, string>>) => string;

const BLANK = /\{(\w+)(?::(\w+))?\}/g;
const PATTERNS = new Map<string, RegExp>();

/** The sentence in the words of the first pair that fits it. */
export function retold(pairs: readonly Pair[], sentence: string, calling: Calling): string | undefined {
  for (const [english, own] of pairs) {
    const facts = patternOf(english).exec(sentence)?.groups;
    if (!facts && sentence !== english) continue;
    return own.replace(BLANK, (blank, name: string, kind: string | undefined) => {
      const fact = facts?.[name];
      return fact === undefined ? blank : kind === undefined ? fact : calling(kind, fact, facts!);
    });
  }
  return undefined;
}

/** Whether a sentence is one of those that a text with blanks stands for. */
export function fits(text: string, sentence: string): boolean {
  return sentence === text || patternOf(text).test(sentence);
}

/** The facts of a sentence that a text with blanks stands for. */
export function factsIn(text: string, sentence: string): Readonly<Record<string, string>> | undefined {
  return patternOf(text).exec(sentence)?.groups;
}

/** The facts that a sentence has a blank for. */
export function blanksOf(sentence: string): string[] {
  return [...new Set([...sentence.matchAll(BLANK)].map(([, name]) => name!))].sort();
}

function patternOf(english: string): RegExp {
  let pattern = PATTERNS.get(english);
  if (!pattern) {
    const parts = english.split(/\{(\w+)\}/);
    const written = parts.map((part, place) => (place % 2 ? `(?<${part}>.+?)` : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
    pattern = new RegExp(`^${written.join('')}$`, 's');
    PATTERNS.set(english, pattern);
  }
  return pattern;
}

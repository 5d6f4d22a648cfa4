/**
 * Notices as players read them. Words that rest on a clause are approved: they stand as the book has them, in
 * every language, with the language of the screen beside them. Words of ours may be said in that language alone.
 */
import type { Book } from '../book/book';
import type { ShownNotice, TableView } from '../live/wire';
import { noticeOf, noticeText } from './house';
import { blanksOf } from './retelling';
import type { Words } from './words.svelte';

/** The language of the books, and of everything that the house says. */
export const HOUSE_LANGUAGE = 'en';

export interface Reading {
  text: string;
  /** The language of the text, where it is not that of the screen. */
  lang: string | undefined;
  /** The same in the language of the screen; nothing where the text is in it. */
  beside: string;
}

/** What stands there of one step: as the table has said it, else as the book has it where no facts are missing. */
export function noticeAt(table: Pick<TableView, 'notices'> | null, book: Book | null, step: string): ShownNotice | null {
  const said = table?.notices.find((notice) => notice.step === step);
  if (said) return said;
  const notice = book?.view.notices[step];
  return notice && !blanksOf(notice.text).length ? { step, text: notice.text, clause: notice.clause } : null;
}

/** A notice as somebody reads it in the language of the screen. */
export function readingOf(words: Words, notice: ShownNotice | null): Reading {
  if (!notice) return plain('');
  return reading(words, notice.text, noticeOf(words, notice.step, notice.text), notice.clause !== null);
}

/** What players read earlier, by its words alone: always in the words of the time, whoever wrote them. */
export const readingOfRecord = (words: Words, text: string): Reading => reading(words, text, noticeText(words, text), true);

/** Words of the screen's own. */
export const plain = (text: string): Reading => ({ text, lang: undefined, beside: '' });

/** Both in one line, where there is no room for two sizes of type. */
export const inOneLine = ({ text, beside }: Reading): string => (beside ? `${text} · ${beside}` : text);

function reading(words: Words, text: string, own: string, stands: boolean): Reading {
  const lang = words.language === HOUSE_LANGUAGE || !text ? undefined : HOUSE_LANGUAGE;
  if (own === text) return { text, lang, beside: '' };
  return stands && text ? { text, lang, beside: own } : plain(own);
}

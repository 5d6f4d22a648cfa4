/** A cashier's desk: one number at a time is looked up, judged, and paid once, voided or reinstated; the last number is the one that counts. */
import { NoAnswer, Refusal } from '../../lib/api/client';
import type { House } from '../../lib/api/house';
import type { Outstanding, Ticket, Totals, Voucher } from '../../lib/api/types';
import { HouseClock } from '../../lib/live/houseClock';
import { Payments, type Keeping, type Pending } from './payment';
import { digitsOf, verdictOf, type Verdict } from './verdict';

/** From this amount on, the cashier states it once more. */
export const STATED_FROM_CENTS = 1_000_000;

type Asked = Pick<House, 'voucher' | 'ticket' | 'pay' | 'voidVoucher' | 'reinstateVoucher' | 'outstanding'>;

export class CageDesk {
  /** The number that is looked at. */
  number = $state('');
  voucher: Voucher | null = $state.raw(null);
  verdict: Verdict | null = $state(null);
  /** The amount in words, of a voucher that can be paid. */
  ticket: Ticket | null = $state.raw(null);
  /** What the house said no to, beside the verdict. */
  refused: unknown = $state.raw(null);
  looking = $state(false);
  paying = $state(false);
  /** A number that came while a payment waited for its answer: it was not looked up, and that is said. */
  missed = $state('');
  /** A payment was sent and no answer came: whether it was done is not known. */
  unanswered = $state(false);
  /** Somebody else sent a payment of this voucher from here and never had an answer: only that person's question brings it. */
  sentBy: Pending | null = $state.raw(null);
  /** The answer was that of an earlier request: the money is paid out once. */
  repeated = $state(false);
  outstanding: Outstanding | null = $state.raw(null);
  /** When the list was last fetched, and whether it was not since: what is not fetched is not known. */
  listed_ms: number | null = $state(null);
  unlisted = $state(false);
  /** What was paid at this screen since it was opened. */
  paid: { count: number; totals_cents: Totals } = $state.raw({ count: 0, totals_cents: {} });

  /** The house's, told with each list. */
  readonly clock = new HouseClock();

  #house: Asked;
  #payments: Payments;
  /** Which look-up was the last one: an answer to an earlier one comes too late. */
  #turn = 0;

  constructor(house: Asked, keeping: Keeping | null, cashier = '') {
    this.#house = house;
    this.#payments = new Payments(keeping, cashier);
  }

  /** Whether an answer is waited for. */
  get busy(): boolean {
    return this.looking || this.paying;
  }

  /** Whether there are vouchers of several currencies: amounts are shown with theirs then. */
  get isMixed(): boolean {
    return new Set([...Object.keys(this.outstanding?.totals_cents ?? {}), ...Object.keys(this.paid.totals_cents)]).size > 1;
  }

  /** Whether it can be paid, or asked once more whether it was. */
  get payable(): boolean {
    return (this.verdict === 'payable' || this.unanswered) && !this.busy;
  }

  /** Whether it can be made payable again. */
  get reinstatable(): boolean {
    return this.verdict === 'early' && !this.busy;
  }

  /** Puts away what is looked at, and an answer that is still to come; only that of a payment is waited for. */
  clear(): void {
    this.missed = '';
    if (this.paying) return;
    this.#turn += 1;
    this.looking = false;
    this.number = '';
    this.#forget();
  }

  /** Looks a number up, as it was typed or scanned; whichever was looked up before is not waited for any more. */
  async find(typed: string): Promise<void> {
    const number = digitsOf(typed);
    if (!number) return;
    this.missed = this.paying ? number : '';
    if (this.paying) return;
    const turn = ++this.#turn;
    this.number = number;
    this.#forget();
    this.looking = true;
    void this.list();
    try {
      const voucher = await this.#house.voucher(number);
      if (turn !== this.#turn) return;
      this.#show(voucher, verdictOf(voucher));
      if (voucher.status === 'outstanding') void this.#readTicket(number);
      else if (voucher.status === 'paid') await this.#settlePending(voucher, turn);
    } catch (error) {
      if (turn === this.#turn) this.#notFound(error);
    } finally {
      if (turn === this.#turn) this.looking = false;
    }
  }

  /** Pays the voucher that is looked at; asked again after a lost answer, it is still the same payment. */
  async pay(cents: number): Promise<void> {
    const { voucher } = this;
    if (!voucher || !this.payable) return;
    const { key } = this.#payments.begin(voucher.number, cents, this.clock.now_ms);
    this.paying = true;
    this.refused = null;
    this.missed = '';
    try {
      const { voucher: paid, repeated } = await this.#house.pay(voucher.number, cents, key);
      this.#paid(paid, repeated);
    } catch (error) {
      this.#notPaid(voucher, error);
    } finally {
      this.paying = false;
    }
  }

  /** Voids the voucher that is looked at, in the name of whoever may. */
  async void(reason: string, house: Pick<House, 'voidVoucher'> = this.#house): Promise<void> {
    if (!this.voucher) return;
    const voided = await house.voidVoucher(this.voucher.number, reason);
    if (this.voucher?.number === voided.number) this.#show(voided, 'voided-now');
    void this.list();
  }

  /** Makes the voucher that is looked at payable again, in the name of whoever may. */
  async reinstate(reason: string, house: Pick<House, 'reinstateVoucher'> = this.#house): Promise<void> {
    if (!this.voucher) return;
    const back = await house.reinstateVoucher(this.voucher.number, reason);
    if (this.voucher?.number === back.number) {
      this.#show(back, verdictOf(back));
      void this.#readTicket(back.number);
    }
    void this.list();
  }

  async list(): Promise<void> {
    try {
      this.outstanding = await this.#house.outstanding();
      this.clock.set(this.outstanding.now_ms);
      this.listed_ms = this.clock.now_ms;
      this.unlisted = false;
    } catch {
      // The list stays as it was, and says from when it is.
      this.unlisted = true;
    }
  }

  /** A payment that was sent from here before, and whose answer never came: the same key brings it. */
  async #settlePending(voucher: Voucher, turn: number): Promise<void> {
    const pending = this.#payments.of(voucher.number);
    if (!pending) {
      this.sentBy = this.#payments.ofAnother(voucher.number) ?? null;
      return;
    }
    // That it is paid is known; whether by this payment is not, and nobody is sent away before it is.
    this.unanswered = true;
    try {
      const { voucher: paid, repeated } = await this.#house.pay(voucher.number, pending.cents, pending.key);
      // Where nobody sees it any more it stays pending, and is shown when the number is looked up again.
      if (turn === this.#turn) this.#paid(paid, repeated);
    } catch (error) {
      if (judges(error)) this.#payments.end(voucher.number);
      if (turn !== this.#turn) return;
      this.unanswered = !judges(error);
      if (this.unanswered && error instanceof Refusal) this.refused = error;
    }
  }

  #notFound(error: unknown): void {
    const code = error instanceof Refusal ? error.code : '';
    if (code === 'voucher-unknown') this.verdict = 'unknown';
    else if (code === 'voucher-malformed') this.verdict = 'malformed';
    else this.refused = error;
  }

  #paid(voucher: Voucher, repeated: boolean): void {
    this.#payments.end(voucher.number);
    this.#show(voucher, 'paid-now');
    this.repeated = repeated;
    const { count, totals_cents } = this.paid;
    this.paid = { count: count + 1, totals_cents: { ...totals_cents, [voucher.currency]: (totals_cents[voucher.currency] ?? 0) + voucher.cents } };
    void this.list();
  }

  /** Only what the house says of the voucher, or of the key, ends a payment: any other answer leaves it as it was. */
  #notPaid(voucher: Voucher, error: unknown): void {
    if (error instanceof Refusal) this.refused = error;
    if (judges(error)) {
      this.#payments.end(voucher.number);
      this.unanswered = false;
      const status = /^voucher-(paid|redeemed|voided|expired)$/.exec(error.code)?.[1] as Voucher['status'] | undefined;
      if (status) this.#show({ ...voucher, status }, verdictOf({ ...voucher, status }));
    } else if (error instanceof NoAnswer || (error instanceof Refusal && error.status >= 500)) {
      // The journal may have it although it could not say so.
      this.unanswered = true;
    } else if (!(error instanceof Refusal)) {
      this.refused = error;
    }
    void this.list();
  }

  async #readTicket(number: string): Promise<void> {
    try {
      const ticket = await this.#house.ticket(number);
      if (this.number === number) this.ticket = ticket;
    } catch {
      // The amount stands there in figures; its words are only a help.
    }
  }

  #show(voucher: Voucher, verdict: Verdict): void {
    this.voucher = voucher;
    this.verdict = verdict;
    this.unanswered = false;
  }

  #forget(): void {
    this.voucher = null;
    this.verdict = null;
    this.ticket = null;
    this.refused = null;
    this.unanswered = false;
    this.sentBy = null;
    this.repeated = false;
  }
}

/** Whether an answer says what became of a payment; that somebody has to sign in again, or that the house is busy, does not. */
const judges = (error: unknown): error is Refusal => error instanceof Refusal && (error.code.startsWith('voucher-') || error.code === 'key-used');

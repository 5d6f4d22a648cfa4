/** Every question that the screens ask the house, each with what it is answered. */
import type { BookView, Decide, DeclareIrregularity, TableView } from '../live/wire';
import { NoAnswer, path, type Client, type Query } from './client';
import type * as t from './types';

export interface ReportQuery { by: string; from?: string; to?: string; table?: string }
export interface EventQuery {
  from?: string;
  until?: string;
  table?: string;
  code?: string;
  text?: string;
  seat?: string;
  round?: number;
  refusals?: boolean;
  after?: string;
  limit?: number;
}
export type FileForm = 'csv' | 'json' | 'rulings';

export class House {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  // People and devices
  signIn = (name: string, password: string, new_password?: string): Promise<t.SignedIn> =>
    this.client.post('/api/sign-in', { name, password, ...(new_password !== undefined && { new_password }) });
  signOut = (): Promise<void> => this.client.post('/api/sign-out');
  session = (): Promise<t.Me> => this.client.get('/api/session');
  enrol = (code: string): Promise<t.EnrolledDevice> => this.client.post('/api/devices/enrol', { code });
  devices = (): Promise<t.Device[]> => this.client.get('/api/devices');
  issueCode = (kind: string, table: string | null, seat: string | null): Promise<t.CodeForDevice> => this.client.post('/api/devices/code', { kind, table, seat });
  revoke = (device: string, reason: string): Promise<void> => this.client.post(path`/api/devices/${device}/revoke`, { reason });
  staff = (): Promise<t.Users> => this.client.get('/api/staff');
  addStaff = (name: string, position: string, duties: readonly string[]): Promise<t.OneTimePassword> => this.client.post('/api/staff', { name, position, duties });
  changeStaff = (name: string, position: string, duties: readonly string[]): Promise<void> => this.client.patch(path`/api/staff/${name}`, { position, duties });
  newPassword = (name: string): Promise<t.OneTimePassword> => this.client.post(path`/api/staff/${name}/password`);
  retire = (name: string, reason: string): Promise<void> => this.client.post(path`/api/staff/${name}/retire`, { reason });
  unlock = (name: string, reason: string): Promise<void> => this.client.post(path`/api/staff/${name}/unlock`, { reason });
  endSessions = (name: string, reason: string): Promise<void> => this.client.post(path`/api/staff/${name}/end-sessions`, { reason });

  // Tables and books
  tables = (): Promise<TableView[]> => this.client.get('/api/tables');
  table = (table: string): Promise<TableView> => this.client.get(path`/api/tables/${table}`);
  /** A book; at a table, with the order of that table's wheel. */
  book = (book: string, layout: string, table?: string): Promise<BookView> => this.client.get(path`/api/books/${book}/view`, { layout, table });
  statistics = (table: string): Promise<t.Statistics> => this.client.get(path`/api/tables/${table}/statistics`);

  // What was
  meters = (table: string): Promise<t.MetersView> => this.client.get(path`/api/tables/${table}/meters`);
  rounds = (table: string, limit: number): Promise<t.RecalledRounds> => this.client.get(path`/api/tables/${table}/rounds`, { limit });
  round = (table: string, number: number): Promise<t.RecalledRound> => this.client.get(path`/api/tables/${table}/rounds/${number}`);
  /** What another result would do to a settled round, as the table is now; nothing is done. */
  correction = (table: string, number: number, result: string): Promise<t.ForeseenCorrection> => this.client.get(path`/api/tables/${table}/rounds/${number}/correction`, { result });
  /** What a decision, or voiding rounds, would do as the table is now; nothing is done, whether an answer comes or not. */
  foreseen = (table: string, what: Decide | DeclareIrregularity): Promise<t.Foreseen> =>
    this.client.post<t.Foreseen>(path`/api/tables/${table}/foreseen`, { do: what }).catch((error: unknown) => { throw error instanceof NoAnswer ? new NoAnswer('GET') : error; });
  report = (query: ReportQuery): Promise<t.Report> => this.client.get('/api/reports', { ...query });
  reportFile = (query: ReportQuery, form: FileForm): Promise<{ name: string; content: Blob }> => this.client.file('/api/reports/file', { ...query, form });
  wheels = (): Promise<t.WatchedWheel[]> => this.client.get('/api/wheels');
  events = (query: EventQuery): Promise<t.EventPage> => this.client.get('/api/events', { ...query } as Query);

  // Vouchers
  outstanding = (): Promise<t.Outstanding> => this.client.get('/api/vouchers');
  /** What the cage did in the gaming day that runs. */
  cageReport = (): Promise<t.CageReport> => this.client.get('/api/cage/report');
  cageFile = (form: 'csv' | 'acts'): Promise<{ name: string; content: Blob }> => this.client.file('/api/cage/report/file', { form });
  /** The last ones that a seat was given, paid ones too. */
  seatVouchers = (table: string, seat: string): Promise<t.SeatVouchers> => this.client.get(path`/api/tables/${table}/seats/${seat}/vouchers`);
  voucher = (number: string): Promise<t.Voucher> => this.client.get(path`/api/vouchers/${number}`);
  ticket = (number: string): Promise<t.PrintedTicket> => this.client.get(path`/api/vouchers/${number}/ticket`);
  /** The same key again is the same payment: it is answered as before, and nothing more is paid. */
  pay = (number: string, cents: number, key: string): Promise<t.Paid> => this.client.post(path`/api/vouchers/${number}/pay`, { cents }, { 'Idempotency-Key': key });
  voidVoucher = (number: string, reason: string): Promise<t.Voucher> => this.client.post(path`/api/vouchers/${number}/void`, { reason });
  reinstateVoucher = (number: string, reason: string): Promise<t.Voucher> => this.client.post(path`/api/vouchers/${number}/reinstate`, { reason });

  // The demonstration floor
  demonstration = (): Promise<t.DemonstrationFloor> => this.client.get('/api/demonstration');
  takeSeat = (table: string, layout: string): Promise<t.CodeForDevice> => this.client.post('/api/demonstration/seat', { table, layout });
}

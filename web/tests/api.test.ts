import { describe, expect, it, vi } from 'vitest';
import { Client, NoAnswer, path, Refusal } from '../src/lib/api/client';
import { House } from '../src/lib/api/house';

const answered = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(status === 204 ? null : JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });

describe('a client', () => {
  it('sends the token that is good at the moment, and JSON', async () => {
    let token: string | null = 'one';
    const reach = vi.fn(async () => answered({ ok: true }));
    const client = new Client(() => token, reach);
    await client.get('/api/session');
    token = null;
    await client.post('/api/sign-in', { name: 'a' });
    const [first, second] = reach.mock.calls as unknown as [string, RequestInit][];
    expect(first![1].headers).toEqual({ Authorization: 'Bearer one' });
    expect(second![1].headers).toEqual({ 'Content-Type': 'application/json' });
    expect(second![1].body).toBe('{"name":"a"}');
  });

  it('says where it asks by itself, so that it keeps nobody signed in', async () => {
    const reach = vi.fn(async () => answered({ ok: true }));
    let isAttended = true;
    const client = new Client(() => 'one', reach, undefined, () => isAttended);
    await client.get('/api/vouchers');
    isAttended = false;
    await client.get('/api/vouchers');
    const headers = (reach.mock.calls as unknown as [string, RequestInit][]).map(([, init]) => init.headers);
    expect(headers).toEqual([{ Authorization: 'Bearer one' }, { Authorization: 'Bearer one', 'Croupier-Unattended': 'yes' }]);
  });

  it('leaves empty parts of a question out', async () => {
    const reach = vi.fn(async () => answered({ events: [], next: null }));
    await new House(new Client(() => null, reach)).events({ text: 'a b&c', table: '', limit: 5 });
    expect((reach.mock.calls as unknown as [string][])[0]![0]).toBe('/api/events?text=a+b%26c&limit=5');
  });

  it('writes every part of a path so that it stays one part', () => {
    expect(path`/api/tables/${'a/b ?'}/rounds/${12}`).toBe('/api/tables/a%2Fb%20%3F/rounds/12');
  });

  it('tells a refusal by its code, with what the house said', async () => {
    const client = new Client(() => null, async () => answered({ code: 'voucher-paid', sentence: 'This voucher is paid.', facts: { n: 1 } }, 409));
    const refusal = await client.get('/api/x').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ code: 'voucher-paid', status: 409, message: 'This voucher is paid.', facts: { n: 1 } });
  });

  it('does not take a broken line, a broken answer or a failing proxy for a refusal', async () => {
    const reaches = [
      () => Promise.reject(new TypeError('network')),
      async () => new Response('{"half', { status: 200 }),
      async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    ];
    for (const reach of reaches) {
      const client = new Client(() => null, reach);
      const read = await client.get('/api/x').catch((error: unknown) => error);
      expect(read).toBeInstanceOf(NoAnswer);
      // Nothing was to be done where something was only to be read.
      expect(read).toMatchObject({ code: 'not-read', message: 'No answer came from the house. It could not be read.' });
      await expect(client.post('/api/x')).rejects.toMatchObject({ code: 'no-answer', message: 'No answer came from the house. Whether it was done is not known.' });
    }
  });

  it('tells once for all questions that its token is not known any more, and nothing else', async () => {
    const ended = vi.fn();
    const answers = [answered({ code: 'not-signed-in', sentence: 'Sign in.' }, 401), answered({ code: 'not-allowed', sentence: 'No.' }, 403), answered({ ok: true })];
    const client = new Client(() => 't', async () => answers.shift()!, ended);
    await expect(client.get('/api/vouchers')).rejects.toMatchObject({ status: 401 });
    await expect(client.post('/api/x')).rejects.toMatchObject({ status: 403 });
    await client.get('/api/x');
    expect(ended.mock.calls).toMatchObject([[{ code: 'not-signed-in' }]]);
  });

  it('gives nothing where the house has nothing to say', async () => {
    await expect(new Client(() => null, async () => answered(null, 204)).post('/api/sign-out')).resolves.toBeUndefined();
  });

  it('takes the name of a file from the answer', async () => {
    const client = new Client(() => 't', async () => answered('a,b', 200, { 'Content-Disposition': 'attachment; filename="report.csv"' }));
    expect((await client.file('/api/reports/file', { by: 'day' })).name).toBe('report.csv');
  });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Device } from '../src/screens/enrolled/device.svelte';

const KEY = 'croupier.device.terminal';
const enrolled = (token: string) => ({ token, device: `device-${token}`, kind: 'terminal', table: 'R1', seat: '1', replaced: [] });
const why = (code: string) => ({ code, sentence: `Ended: ${code}.` });

let codes: string[];

beforeEach(() => {
  codes = [];
  localStorage.clear();
  sessionStorage.clear();
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
    codes.push((JSON.parse(String(init.body)) as { code: string }).code);
    return Promise.resolve(new Response(JSON.stringify(enrolled(`of-${codes.at(-1)}`)), { status: 201 }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  location.hash = '';
});

test.each(['replaced', 'wrong-version', 'too-many-problems', 'table-not-running'])('a line that ends because of %s leaves the device enrolled', (code) => {
  localStorage.setItem(KEY, JSON.stringify(enrolled('a')));
  const device = new Device('terminal');
  device.end(why(code));
  expect([device.enrolled?.token, device.stopped?.code, device.refused]).toEqual(['a', code, null]);
  expect(new Device('terminal').enrolled?.token).toBe('a');
  device.openAgain();
  expect([device.enrolled?.token, device.stopped]).toEqual(['a', null]);
});

test.each(['unknown-token', 'signed-out'])('a device that the floor does not know any more (%s) waits for a code', (code) => {
  localStorage.setItem(KEY, JSON.stringify(enrolled('a')));
  const device = new Device('terminal');
  device.end(why(code));
  expect([device.enrolled, device.stopped, device.refused?.code]).toEqual([null, null, code]);
  expect(new Device('terminal').enrolled).toBeNull();
});

test('what another page was enrolled for since is not given up with it', () => {
  sessionStorage.setItem(KEY, JSON.stringify(enrolled('a')));
  const device = new Device('terminal');
  localStorage.setItem(KEY, JSON.stringify(enrolled('b')));
  device.end(why('signed-out'));
  expect([sessionStorage.getItem(KEY), new Device('terminal').enrolled?.token]).toEqual([null, 'b']);
});

test('a code in the address is taken when the page is opened, and when it is written there later', async () => {
  location.hash = '#code=FIRST';
  const device = new Device('terminal');
  await vi.waitFor(() => expect(device.enrolled?.token).toBe('of-FIRST'));
  expect(location.hash).toBe('');

  device.end(why('replaced'));
  location.hash = '#code=SECOND';
  device.follow();
  await vi.waitFor(() => expect(device.enrolled?.token).toBe('of-SECOND'));
  expect([device.stopped, codes]).toEqual([null, ['FIRST', 'SECOND']]);
  device.follow();
  expect(codes).toHaveLength(2);
});

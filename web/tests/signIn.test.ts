import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick, type Component } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refusal } from '../src/lib/api/client';
import { StaffSession } from '../src/lib/staff/session.svelte';
import SignIn from '../src/lib/staff/SignIn.svelte';
import Worded from './Worded.svelte';

let refuses: string | null;
let session: StaffSession;

beforeEach(() => {
  refuses = 'password-must-change';
  sessionStorage.clear();
  session = new StaffSession();
  session.house.signIn = vi.fn((name: string) => (refuses === null
    ? Promise.resolve({ name, token: 't', session: 's' } as never)
    : Promise.reject(new Refusal(403, { code: refuses, sentence: `Refused: ${refuses}.` }))));
  render(Worded, { props: { part: SignIn as unknown as Component<Record<string, unknown>>, props: { session, title: 'Pit', ontheme: () => undefined } } });
});
afterEach(cleanup);

const field = (name: string): HTMLInputElement => screen.getByLabelText(name);
const fresh = (): HTMLInputElement | null => screen.queryByLabelText('New password');
async function submit(): Promise<void> {
  await fireEvent.submit(field('Name').form!);
  await vi.waitFor(() => expect(session.busy).toBe(false));
  await tick();
}
async function first(): Promise<void> {
  await fireEvent.input(field('Name'), { target: { value: 'sue' } });
  await fireEvent.input(field('Password'), { target: { value: 'one time' } });
  await submit();
}

test('whoever has to choose a new password is asked for it, and finds the field under the hand', async () => {
  await first();
  expect(screen.getByRole('alert').textContent).toBe('This password is for the first sign-in only: choose a new one.');
  expect(document.activeElement).toBe(fresh());
});

test('the field stays while it is typed, emptied and refused, and goes with the name', async () => {
  await first();
  await fireEvent.input(fresh()!, { target: { value: 'password' } });
  refuses = 'password-common';
  await submit();
  await fireEvent.input(fresh()!, { target: { value: '' } });
  expect(fresh()).not.toBeNull();
  await fireEvent.input(field('Name'), { target: { value: 'tan' } });
  expect(fresh()).toBeNull();
});

test.each(['unknown-token', 'not-signed-in', 'signed-out'])('whoever was signed out (%s) reads what happened, and not what the server speaks of', async (code) => {
  session.end(code, 'Send a valid token.');
  await tick();
  expect(screen.getByRole('alert').textContent).toContain('You are signed out, because the server was started again or your session has ended');
});

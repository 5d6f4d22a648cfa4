import '../styles/base.css';
import { mount, type Component } from 'svelte';
import Page, { type ScreenProps } from '../screens/Page.svelte';

/** Puts a screen into its page; called once by each page. */
export function show(name: string, screen: Component<ScreenProps>): void {
  mount(Page, { target: document.body, props: { name, screen } });
}

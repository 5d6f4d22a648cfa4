import '../styles/base.css';
import { mount } from 'svelte';
import type { BookView } from '../lib/live/wire';
import Demo from './Demo.svelte';
import type { Scene } from './fixture.svelte';

const FIXTURES = import.meta.glob<BookView>('../../fixtures/*.json', { import: 'default' });

/** Query: `book` (a fixture), `scene`, `result`, `lang`, `theme`, `point` (a bet), `open` (a sheet). */
const query = new URLSearchParams(location.search);
const load = FIXTURES[`../../fixtures/${query.get('book') ?? 'rws-000'}.json`];
if (!load) throw new Error(`There is no fixture ${query.get('book')}; run scripts/book_fixtures.py.`);
mount(Demo, {
  target: document.body,
  props: { view: await load(), scene: (query.get('scene') ?? 'betting') as Scene, result: query.get('result'), language: query.get('lang') ?? 'en', theme: query.get('theme') === 'light' ? 'light' : 'dark' },
});

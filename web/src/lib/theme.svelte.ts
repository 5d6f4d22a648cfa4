/** Dark or light; the choice stays with the browser, and until there is one the system's wish counts. */
export type Theme = 'dark' | 'light';

const KEY = 'croupier.theme';

export class Appearance {
  theme: Theme = $state(wished());

  toggle = (): void => this.set(this.theme === 'dark' ? 'light' : 'dark');

  set(theme: Theme): void {
    this.theme = theme;
    document.documentElement.dataset['theme'] = theme;
    remember(theme);
  }
}

function wished(): Theme {
  const kept = recall();
  const theme = kept ?? (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
  document.documentElement.dataset['theme'] = theme;
  return theme;
}

// A kiosk may forbid storage; then the choice lasts as long as the page.
function recall(): Theme | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'dark' || kept === 'light' ? kept : undefined;
  } catch {
    return undefined;
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The theme is set all the same.
  }
}

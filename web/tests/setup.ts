import '@testing-library/svelte/vitest';
import { clock } from '../src/lib/live/liveOrders';

clock.now = () => 0; // commands are numbered from one, and not from the time of day

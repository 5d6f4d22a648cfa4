import ConsolePage from '../screens/console/ConsolePage.svelte';
import { show } from './mount';

show('console', ConsolePage);

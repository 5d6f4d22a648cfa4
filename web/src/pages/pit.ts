import Pit from '../screens/pit/Pit.svelte';
import { show } from './mount';

show('pit', Pit);

import Waiting from '../screens/Waiting.svelte';
import { show } from './mount';

show('console', Waiting);

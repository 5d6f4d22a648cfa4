import Front from '../screens/front/Front.svelte';
import { show } from './mount';

show('index', Front);

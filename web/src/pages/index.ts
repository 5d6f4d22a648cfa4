import Screens from '../screens/Screens.svelte';
import { show } from './mount';

show('index', Screens);

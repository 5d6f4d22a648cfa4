import Display from '../screens/display/Display.svelte';
import { show } from './mount';

show('display', Display);

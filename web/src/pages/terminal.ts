import Seat from '../screens/terminal/Seat.svelte';
import { show } from './mount';

show('terminal', Seat);

import Cage from '../screens/cage/Cage.svelte';
import { show } from './mount';

show('cage', Cage);

import Lab from '../screens/lab/Lab.svelte';
import { show } from './mount';

show('lab', Lab);

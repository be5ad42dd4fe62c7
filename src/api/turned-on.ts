export { isTurnedOn } from '../files/turned-on.js';

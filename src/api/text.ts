/** Text for people, for front ends. */
export { nameSome } from '../core/name-some.js';
export { nearestName } from '../core/nearest-name.js';
export { oneLine, printable, printableLine, unmistakable } from '../core/printable.js';

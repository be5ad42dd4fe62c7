export { given } from '../core/given.js';

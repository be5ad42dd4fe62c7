export { given } from '../core/json/given.js';

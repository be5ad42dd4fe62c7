/** Troupe's own package file, for front ends. */
export { readOwnPackage } from '../files/own-package.js';

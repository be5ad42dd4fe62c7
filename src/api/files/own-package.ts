/** Troupe's own package file, for front ends. */
export { ownFile, readOwnPackage } from '../../files/own-package.js';

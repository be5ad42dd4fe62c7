/** The folders of a user, and files in them, for front ends. */
export { userFolders } from '../../files/folders.js';
export { isInside } from '../../files/is-inside.js';
export { readRegularFile } from '../../files/regular-file.js';
export {
  makeHome,
  requireHome,
  requireTemporaryFolder,
} from '../../journal/storage/prepare-folders.js';

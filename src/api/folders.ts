/** The folders of a user, for front ends. */
export { userFolders } from '../files/folders.js';
export {
  makeHome,
  requireHome,
  requireTemporaryFolder,
} from '../journal/storage/prepare-folders.js';

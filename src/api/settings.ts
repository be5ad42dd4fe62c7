/** The files of settings, for front ends. */
export { findFileToKeep } from '../settings/find-file-to-keep.js';
export { loadSettings, loadSettingsFile } from '../settings/load-settings.js';
export { sandboxOf, mergeSandbox } from '../settings/merge-sandbox.js';
export { SETTING_SOURCES, settingsFiles } from '../settings/settings-files.js';

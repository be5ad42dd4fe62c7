/** Settings: their files, and the origin of each value and rule. For front ends. */
export { SOURCE_LABELS } from '../permissions/rule.js';
export { explainSettings } from '../settings/explain-settings.js';
export { findFileToKeep } from '../settings/find-file-to-keep.js';
export { loadSettings, loadSettingsFile } from '../settings/load-settings.js';
export { describePlace, locateRules } from '../settings/locate-rules.js';
export { SETTING_SOURCES, settingsFiles } from '../settings/settings-files.js';

/** Settings: their files, and the origin of each value and rule. For front ends. */
export { SOURCE_LABELS } from '../../permissions/rules/rule.js';
export { explainSettings } from '../../settings/explain/explain-settings.js';
export { findFileToKeep } from '../../settings/files/find-file-to-keep.js';
export { loadSettings, loadSettingsFile } from '../../settings/files/load-settings.js';
export { describePlace, locateRules } from '../../settings/explain/locate-rules.js';
export { SETTING_SOURCES, settingsFiles } from '../../settings/files/settings-files.js';

/** Where settings and rules come from, for front ends. */
export { SOURCE_LABELS } from '../permissions/rule.js';
export { explainSettings } from '../settings/explain-settings.js';
export { locateRules, describePlace } from '../settings/locate-rules.js';

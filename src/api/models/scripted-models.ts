/** Models that answer from a file, for front ends. */
export { loadScriptFile } from '../../model/scripted/load-script.js';
export { SCRIPTED_MODEL_NAME } from '../../model/choice/aliases.js';
export { createScriptedModel } from '../../model/scripted/scripted-model.js';

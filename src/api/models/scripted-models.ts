/** Models that answer from a file, for front ends. */
export { loadScriptFile } from '../../model/scripted/load-script.js';
export { createScriptedModel, SCRIPTED_MODEL_NAME } from '../../model/scripted/scripted-model.js';

/** For tests of agents: a Messages API on this machine, and a model that answers from a script. */
export {
  createFakeMessagesApi,
  type FakeMessagesApi,
  type FakeMessagesApiOptions,
  type FakeRequest,
  type FakeRequestBody,
} from './fake-messages-api.js';
export {
  eventsOf,
  type FakeEventOptions,
  type FakeHttpReply,
  type FakeModelReply,
  type FakeReply,
  type FakeSilence,
  type FakeStream,
  type StreamFault,
} from './fake-reply.js';
export { comparePrefix, isPrefixExtension, type PrefixBreak } from './compare-prefix.js';
export {
  createScriptedModel,
  type ScriptedModelOptions,
  type ScriptFunction,
} from '../model/scripted/scripted-model.js';
export { loadScriptFile, type LoadScriptOptions } from '../model/scripted/load-script.js';
export type { Script, ScriptedReply } from '../model/scripted/script.js';

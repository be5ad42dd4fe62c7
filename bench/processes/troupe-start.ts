/** A program that starts a session as the library's users do; with an argument, without the default tools. */
import { createOrchestrator } from 'troupe';
import { MAX_TOKENS, MODEL } from '../scenario.js';

const troupe = createOrchestrator({
  modelName: MODEL,
  maxTokens: MAX_TOKENS,
  ...(process.argv[2] === undefined ? {} : { builtInTools: [] }),
});
await troupe.session({ prompt: 'hi' }).result;
await troupe.close();

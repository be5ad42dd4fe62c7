import { A2A_PROTOCOL_VERSION, type AgentCard } from '@a2a-js/sdk';
import { readOwnPackage } from '../../../files/own-package.js';

/** Path of the JSON-RPC endpoint. */
export const A2A_PATH = '/a2a';
const TEXTS = ['text/plain', 'application/json'];

/** A type of agents that a client may name. */
export type AgentType = { readonly name: string; readonly description: string };

/** Describe the server. @param url address of the server without a path */
export function createAgentCard(url: string, types: readonly AgentType[]): AgentCard {
  return {
    name: 'Troupe',
    description:
      'Runs agents with their own tools in a folder. A message starts one; `metadata.troupe` of the message chooses: {"agent", "model", "mode", "tools", "cwd", "budget", "title"}.',
    supportedInterfaces: [
      {
        url: `${url}${A2A_PATH}`,
        protocolBinding: 'JSONRPC',
        tenant: '',
        protocolVersion: A2A_PROTOCOL_VERSION,
      },
    ],
    provider: undefined,
    version: readOwnPackage().version,
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
      extensions: [],
    },
    securitySchemes: {
      token: {
        scheme: {
          $case: 'httpAuthSecurityScheme',
          value: { description: 'The token of the server', scheme: 'Bearer', bearerFormat: '' },
        },
      },
    },
    securityRequirements: [{ schemes: { token: { list: [] } } }],
    defaultInputModes: TEXTS,
    defaultOutputModes: TEXTS,
    skills: types.map(({ name, description }) => ({
      id: name,
      name,
      description,
      tags: ['agent'],
      examples: [],
      inputModes: TEXTS,
      outputModes: TEXTS,
      securityRequirements: [],
    })),
    signatures: [],
  };
}

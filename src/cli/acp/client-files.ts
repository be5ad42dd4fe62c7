import { methods, type AgentContext, type ClientCapabilities } from '@agentclientprotocol/sdk';
import type { EditorFiles } from '../../api/types.js';

/** The files of a client that offers to read and to write them, for the tools of a session; undefined for another client. */
export function toEditorFiles(
  client: AgentContext,
  { fs }: ClientCapabilities,
  sessionId: () => string,
): EditorFiles | undefined {
  if (fs?.readTextFile !== true || fs.writeTextFile !== true) return undefined;
  return {
    async readText(path, { signal }) {
      const { content } = await client.request(
        methods.client.fs.readTextFile,
        { sessionId: sessionId(), path },
        { cancellationSignal: signal, stopWaitingOnCancel: true },
      );
      return content;
    },
    async writeText(path, content) {
      const params = { sessionId: sessionId(), path, content };
      await client.request(methods.client.fs.writeTextFile, params);
    },
  };
}

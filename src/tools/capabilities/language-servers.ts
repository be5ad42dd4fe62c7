/** A place in a file, counted from 1. Characters are UTF-16 code units. */
export type LspPosition = {
  /** Line of the place. */
  readonly line: number;
  /** Character in the line. */
  readonly character: number;
};

/** A passage of a file. */
export type LspLocation = LspPosition & {
  /** Absolute path of the file; its URI if it is no file. */
  readonly path: string;
  /** Line of the end. */
  readonly endLine: number;
  /** Character after the end. */
  readonly endCharacter: number;
};

/** A named part of a program, with the location of its name. */
export type LspSymbol = LspLocation & {
  /** Name of the symbol. */
  readonly name: string;
  /** Kind, as the protocol calls it, such as `Function`. */
  readonly kind: string;
  /** Number of symbols of the same file around it. */
  readonly depth: number;
  /** The symbol around it, if the server names it. */
  readonly container?: string;
};

/** How bad a diagnostic is. */
export type LspSeverity = 'error' | 'warning' | 'information' | 'hint';

/** A problem that a language server finds in a file. */
export type LspDiagnostic = LspLocation & {
  /** How bad it is; `error` if the server does not say. */
  readonly severity: LspSeverity;
  /** Text of the problem, from the server. */
  readonly message: string;
  /** Number or name of the kind of problem. */
  readonly code?: string;
  /** Program that found it, such as `typescript`. */
  readonly source?: string;
};

/** A file as the agent sees it. */
export type LspFile = {
  /** Project of the agent, an absolute path: the root of the server. */
  readonly root: string;
  /** Absolute path of the file, links resolved. */
  readonly path: string;
  /** Content of the file. */
  readonly text: string;
};

/** An operation about the symbol at a place. */
export type LspPlaceOperation =
  | 'goToDefinition'
  | 'goToImplementation'
  | 'findReferences'
  | 'hover'
  | 'prepareCallHierarchy'
  | 'incomingCalls'
  | 'outgoingCalls';

/** A question to the language server of a file. */
export type LspQuery = LspFile &
  (
    | ({
        /** About the symbol at a place. */
        readonly operation: LspPlaceOperation;
      } & LspPosition)
    | {
        /** About the whole file. */
        readonly operation: 'documentSymbol' | 'diagnostics';
      }
    | {
        /** About the whole project. */
        readonly operation: 'workspaceSymbol';
        /** Name of the symbol, or a part of it. */
        readonly query: string;
      }
  );

/** The answer of a language server. */
export type LspAnswer =
  | {
      readonly kind: 'locations';
      /** Definitions, implementations or uses of the symbol. */
      readonly locations: readonly LspLocation[];
    }
  | {
      readonly kind: 'hover';
      /** Markdown or plain text; empty if the server knows nothing. */
      readonly text: string;
    }
  | {
      readonly kind: 'symbols';
      /** The symbols; of one file each before those in it. */
      readonly symbols: readonly LspSymbol[];
    }
  | {
      readonly kind: 'diagnostics';
      /** The problems of the file. */
      readonly diagnostics: readonly LspDiagnostic[];
      /** The server may still be looking. */
      readonly isPartial: boolean;
    };

/** A file that a tool has changed. */
export type ChangedFile = LspFile & {
  /** Previous content; undefined for a new file. */
  readonly before: string | undefined;
};

/** The language servers of a session, for the tools of one agent. */
export interface LanguageServers {
  /**
   * The program that {@link LanguageServers.ask} would start for a file although no setting names it. Undefined if
   * settings name the server, if it runs, or if there is no server.
   */
  startsUnasked(file: Pick<LspFile, 'root' | 'path'>): string | undefined;
  /** Ask the server of a file, which is started first if it does not run. Rejects with an `LspError`. */
  ask(query: LspQuery, signal: AbortSignal): Promise<LspAnswer>;
  /**
   * Tell the servers that run about changed files. Resolves when they have looked at the files, at the latest after a
   * second. Starts no server, and never rejects.
   */
  changed(files: readonly ChangedFile[], signal: AbortSignal): Promise<void>;
  /** Errors in files that this agent has changed, which were not there before. Each is returned once. */
  newErrors(): readonly LspDiagnostic[];
}

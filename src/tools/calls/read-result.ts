import type { ToolError, ToolSuccess } from './tool-outcome.js';

/** Facts about a file that was read. */
export type ReadFile = ToolSuccess & {
  /** Absolute path of the file, links resolved. */
  readonly filePath: string;
  /** Size of the file in bytes. */
  readonly fileSize: number;
  /** Extension of the file, without the dot. */
  readonly fileType: string;
};

/** Lines of a text file. */
export type ReadText = ReadFile & {
  /** The file is text. */
  readonly type: 'text';
  /** The lines that were read, without numbers, separated by `\n`. A line above 2,000 characters is cut. */
  readonly content: string;
  /** For the model: facts that the lines do not show, such as that there are more. Empty if there are none. */
  readonly note: string;
  /** Lines of the whole file; undefined if reading stopped before its end. */
  readonly lineCount: number | undefined;
  /** Whether there is more than was returned. */
  readonly truncated: boolean;
  /** First line that was read, counted from 1. */
  readonly offset: number;
  /** Number of lines that were read. */
  readonly limit: number;
};

/** An image. */
export type ReadImage = ReadFile & ReadPicture;

/** An image in base64. */
export type ReadPicture = {
  /** The data is an image. */
  readonly type: 'image';
  /** Type of the image, such as `image/png`. */
  readonly mediaType: string;
  /** The image in base64. */
  readonly data: string;
};

/** Cells of a notebook. */
export type ReadNotebook = ReadFile & {
  /** The file is a notebook. */
  readonly type: 'notebook';
  /** The cells that were read. */
  readonly cells: readonly ReadCell[];
  /** The language of the code cells. */
  readonly language: string;
  /** Number of cells of the notebook. */
  readonly cellCount: number;
  /** Whether there is more than was returned. */
  readonly truncated: boolean;
  /** First cell that was read, counted from 1. */
  readonly offset: number;
};

/** A cell of a notebook. */
export type ReadCell = {
  /** ID of the cell. */
  readonly id: string;
  /** Kind of the cell. */
  readonly type: 'code' | 'markdown' | 'raw';
  /** Text of the cell. */
  readonly source: string;
  /** Number of the run; absent if the cell has not run. */
  readonly executionCount?: number;
  /** Texts and images that the cell has put out. */
  readonly outputs: readonly (
    | {
        /** The output is text. */
        readonly type: 'text';
        /** Text of the output. */
        readonly text: string;
      }
    | ReadPicture
  )[];
};

/** Pages of a PDF as text. */
export type ReadPdf = ReadFile & {
  /** The file is a PDF. */
  readonly type: 'pdf';
  /** The pages that were read. */
  readonly pages: readonly {
    /** Number of the page, counted from 1. */
    readonly number: number;
    /** Text of the page. */
    readonly text: string;
  }[];
  /** Number of pages of the document. */
  readonly pageCount: number;
  /** Whether there is more than was returned. */
  readonly truncated: boolean;
  /** First page that was wanted, counted from 1. */
  readonly offset: number;
};

/** Result of Read: a success by its `type`, or an error. */
export type ReadToolResult = ReadText | ReadImage | ReadNotebook | ReadPdf | ToolError;

/** In pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the size of a PNG, JPEG, GIF or WebP; undefined for other formats (H-1). */
export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const read of [readPng, readGif, readWebp, readJpeg]) {
    const size = read(view);
    if (size !== undefined) return size.width > 0 && size.height > 0 ? size : undefined;
  }
  return undefined;
}

function hasText(view: DataView, at: number, text: string): boolean {
  if (view.byteLength < at + text.length) return false;
  for (let i = 0; i < text.length; i++) {
    if (view.getUint8(at + i) !== text.charCodeAt(i)) return false;
  }
  return true;
}

/** Reads the chunk IHDR, which follows the signature. */
function readPng(view: DataView): ImageSize | undefined {
  if (!hasText(view, 0, "\x89PNG\r\n\x1a\n") || !hasText(view, 12, "IHDR")) return undefined;
  if (view.byteLength < 24) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): ImageSize | undefined {
  if (!hasText(view, 0, "GIF87a") && !hasText(view, 0, "GIF89a")) return undefined;
  if (view.byteLength < 10) return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function readWebp(view: DataView): ImageSize | undefined {
  if (!hasText(view, 0, "RIFF") || !hasText(view, 8, "WEBP") || view.byteLength < 30) {
    return undefined;
  }
  if (hasText(view, 12, "VP8X")) {
    return { width: 1 + readUint24(view, 24), height: 1 + readUint24(view, 27) };
  }
  if (hasText(view, 12, "VP8L") && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (hasText(view, 12, "VP8 ") && hasText(view, 23, "\x9d\x01\x2a")) {
    return {
      width: view.getUint16(26, true) & 0x3fff,
      height: view.getUint16(28, true) & 0x3fff,
    };
  }
  return undefined;
}

function readUint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

/** Skips segments up to the first frame. */
function readJpeg(view: DataView): ImageSize | undefined {
  if (!hasText(view, 0, "\xff\xd8\xff")) return undefined;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (isFrame(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    } else if (marker === 0xd9 || marker === 0xda) return undefined;
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}

/** Whether a marker is a frame: C0 to CF, except tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

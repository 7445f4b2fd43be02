import { generateKeyPairSync, sign } from "node:crypto";

/** A key with a certificate that it has signed itself, in PEM. */
export interface Credentials {
  readonly key: string;
  readonly cert: string;
}

/** Makes credentials for `localhost` that hold for this hour. */
export function createCredentials(): Credentials {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)); // ecdsa-with-SHA256
  const name = sequence(
    set(sequence(objectId(0x55, 0x04, 0x03), element(0x0c, text("localhost")))),
  );
  const [from, to] = [-30, 30].map((minutes) => timeOf(new Date(Date.now() + minutes * 60_000)));
  const alternativeName = sequence(
    objectId(0x55, 0x1d, 0x11),
    element(0x04, sequence(element(0x82, text("localhost")))),
  );
  const body = sequence(
    element(0xa0, element(0x02, Buffer.of(2))), // version 3
    element(0x02, Buffer.of(1)),
    algorithm,
    name,
    sequence(from!, to!),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa3, sequence(alternativeName)),
  );
  const signature = element(0x03, Buffer.concat([Buffer.of(0), sign("sha256", body, privateKey)]));
  const der = sequence(body, algorithm, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string, // as PEM is
    cert: `-----BEGIN CERTIFICATE-----\n${der.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** One element in the distinguished encoding of ASN.1. */
function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return element(0x30, Buffer.concat(parts));
}

function set(part: Buffer): Buffer {
  return element(0x31, part);
}

function objectId(...bytes: number[]): Buffer {
  return element(0x06, Buffer.from(bytes));
}

function timeOf(date: Date): Buffer {
  return element(0x17, text(date.toISOString().replaceAll(/^..|[-:T]|\.\d+/g, "")));
}

function text(characters: string): Buffer {
  return Buffer.from(characters, "latin1");
}

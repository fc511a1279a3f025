import { textsOf } from "../../kit/texts.ts";
import { recipeTexts } from "../recipe-texts.ts";
import { de } from "./de.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";

/** What this adapter says, in other languages. */
export const texts = textsOf({ de, es, fr, it, nl, pl, pt }, recipeTexts);

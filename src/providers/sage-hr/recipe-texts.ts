import type { RecipeTexts } from "../kit/texts.ts";

/** What the recipe says, in other languages. */
export const recipeTexts: RecipeTexts = {
  "Where do I find the API key?": {
    de: "Wo finde ich den API-Schlüssel?",
    es: "¿Dónde encuentro la clave API?",
    fr: "Où trouver la clé API ?",
  },
  "Sign in to Sage HR as an administrator. Best is one for this alone: the key ends when its user is no administrator any more.":
    {
      de: "Melden Sie sich bei Sage HR mit Administratorrechten an. Am besten ist ein Zugang nur dafür: Der Schlüssel endet, wenn sein Benutzer diese Rechte verliert.",
      es: "Inicie sesión en Sage HR como administrador. Lo mejor es un usuario solo para esto: la clave deja de valer cuando su usuario ya no es administrador.",
      fr: "Connectez-vous à Sage HR en tant qu’administrateur. Le mieux est un utilisateur réservé à cet usage : la clé n’est plus valable quand son utilisateur n’est plus administrateur.",
    },
  "Click your name at the top right, and choose “Settings”.": {
    de: "Klicken Sie oben rechts auf Ihren Namen und wählen Sie „Settings“.",
    es: "Haga clic en su nombre, arriba a la derecha, y elija «Settings».",
    fr: "Cliquez sur votre nom en haut à droite et choisissez « Settings ».",
  },
  Settings: { de: "Settings", es: "Settings", fr: "Settings" },
  "Open “Integrations”, then “API”.": {
    de: "Öffnen Sie „Integrations“ und dann „API“.",
    es: "Abra «Integrations» y después «API».",
    fr: "Ouvrez « Integrations », puis « API ».",
  },
  Integrations: { de: "Integrations", es: "Integrations", fr: "Integrations" },
  "Choose “Enable API access” if it is off. Do not switch it off and on again: that makes new keys for everybody, and what uses the old ones stops.":
    {
      de: "Wählen Sie „Enable API access“, falls es ausgeschaltet ist. Schalten Sie es nicht aus und wieder ein: Dabei entstehen neue Schlüssel für alle, und was die alten verwendet, hört auf.",
      es: "Elija «Enable API access» si está desactivado. No lo desactive y vuelva a activarlo: se crearían claves nuevas para todos, y lo que usa las anteriores dejaría de funcionar.",
      fr: "Choisissez « Enable API access » si l’accès est désactivé. Ne le désactivez pas pour le réactiver : de nouvelles clés seraient créées pour tous, et ce qui utilise les anciennes s’arrêterait.",
    },
  "Enable API access": {
    de: "Enable API access",
    es: "Enable API access",
    fr: "Enable API access",
  },
  API: { de: "API", es: "API", fr: "API" },
  "Copy the key and paste it here.": {
    de: "Kopieren Sie den Schlüssel und fügen Sie ihn hier ein.",
    es: "Copie la clave y péguela aquí.",
    fr: "Copiez la clé et collez-la ici.",
  },
  "The key of an administrator can read and change everything in the account. Sage HR has none that may do less; only what you agree to here is read.":
    {
      de: "Der Schlüssel einer Administration kann alles im Konto lesen und ändern. Einen mit weniger Rechten gibt es in Sage HR nicht; gelesen wird nur, womit Sie hier einverstanden sind.",
      es: "La clave de un administrador puede leer y cambiar todo en la cuenta. Sage HR no tiene claves con menos permisos; solo se lee lo que usted acepta aquí.",
      fr: "La clé d’un administrateur peut tout lire et tout modifier dans le compte. Sage HR n’en propose pas de plus limitée ; seul ce que vous acceptez ici est lu.",
    },
  "Open “API” in the same way and switch the access off. This ends the keys of everybody in the account.":
    {
      de: "Öffnen Sie „API“ auf demselben Weg und schalten Sie den Zugriff aus. Damit enden die Schlüssel aller im Konto.",
      es: "Abra «API» del mismo modo y desactive el acceso. Con ello dejan de valer las claves de todos en la cuenta.",
      fr: "Ouvrez « API » de la même manière et désactivez l’accès. Les clés de tous les utilisateurs du compte ne sont alors plus valables.",
    },
  "The key ends, too, when its user is no administrator any more.": {
    de: "Der Schlüssel endet auch, wenn sein Benutzer die Administratorrechte verliert.",
    es: "La clave también deja de valer cuando su usuario ya no es administrador.",
    fr: "La clé cesse aussi d’être valable quand son utilisateur n’est plus administrateur.",
  },
};

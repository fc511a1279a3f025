import type { Texts } from "./en.ts";

/** Before a colon, a semicolon and inside quotation marks stands the space that does not break. */
export const fr: Texts = {
  language: "Français",
  title: {
    choose: "Choisissez votre logiciel RH ou de paie",
    signIn: "Se connecter à {provider}",
    working: "Connexion à {provider} en cours",
    question: "Encore une étape",
    approval: "Approuvez la connexion",
    failed: "La connexion a échoué",
    done: "La connexion est établie",
    declined: "Rien n’a été partagé",
    expired: "Cette connexion a expiré",
    used: "Ce lien a déjà été utilisé",
    unknown: "Cette connexion n’est plus ouverte",
    link: "Ce lien ne fonctionne pas",
    forged: "Ce formulaire ne peut pas être accepté",
    tooMany: "Un instant, s’il vous plaît",
    trouble: "Un problème est survenu",
    problem: "Problème : {title}",
  },
  consent: {
    asks: "{client} utilise Rollcall pour lire des données de votre logiciel RH ou de paie. Choisissez celui que votre entreprise utilise.",
    asksProvider:
      "{client} utilise Rollcall pour lire des données de {provider}. Vous l’autorisez en vous connectant ici à {provider}.",
    asksAgain:
      "{client} vous demande de vous connecter de nouveau à {provider} afin de continuer à lire les mêmes données. Veuillez utiliser le même compte que la fois précédente.",
    wants: "{client} souhaite lire :",
    allows: "En vous connectant, vous autorisez {client} à lire :",
    scope: "{name} : {holds}",
    readOnly: "Accès en lecture seule : rien n’est modifié dans votre logiciel.",
    lasts: "L’accès dure jusqu’à ce que vous ou {client} y mettiez fin.",
    returns: "Vous reviendrez ensuite sur {host}.",
    returnsHere: "Vous reviendrez ensuite dans l’application, sur cet ordinateur.",
  },
  scopes: {
    company: { name: "Entreprise", holds: "nom, numéro fiscal, adresse" },
    employee: {
      name: "Salariés, un par un",
      holds:
        "coordonnées, poste, rémunération, compte bancaire et numéro fiscal ; date de naissance, nationalité, sexe, origine ethnique et situation familiale ; proches et contacts d’urgence",
    },
    employees: {
      name: "Salariés",
      holds:
        "coordonnées, poste, rémunération, compte bancaire et numéro fiscal ; date de naissance, nationalité, sexe, origine ethnique et situation familiale ; proches et contacts d’urgence",
    },
    groups: { name: "Groupes", holds: "services et équipes" },
    identity: {
      name: "Votre compte",
      holds: "votre nom, votre adresse e-mail et votre numéro de téléphone",
    },
    payruns: { name: "Cycles de paie", holds: "périodes et dates de versement" },
    "payruns/:payrun_id": { name: "Bulletins de paie", holds: "rémunération, impôts et retenues" },
    "time-off-balances": { name: "Soldes de congés", holds: "jours pris et jours restants" },
    "time-off-entries": { name: "Absences", holds: "congés, arrêts maladie et autres absences" },
    timesheets: { name: "Temps de travail", holds: "heures travaillées" },
    "work-locations": { name: "Lieux de travail", holds: "noms et adresses" },
  },
  choose: {
    search: "Rechercher votre logiciel",
    submit: "Rechercher",
    none: "Aucun logiciel ne s’appelle « {search} ». Vérifiez l’orthographe ou signalez à {client} que le vôtre manque.",
    nothing: "Aucun logiciel n’est proposé. Veuillez le signaler à {client}.",
    one: "1 logiciel",
    many: "{count} logiciels",
  },
  form: {
    submit: "Se connecter et autoriser",
    answer: "Continuer",
    decline: "Annuler et revenir",
    other: "Choisir un autre logiciel",
    show: "Afficher",
    hide: "Masquer",
    otpWhy: "{provider} veut s’assurer qu’il s’agit bien de vous.",
    askWhy: "{provider} demande encore une précision.",
    wrongAnswer: "{provider} n’a pas accepté cette réponse. Veuillez réessayer.",
    where: "Où le trouver",
    newTab: "s’ouvre dans un nouvel onglet",
    private: "Ce que vous saisissez ici est transmis à {provider}. {client} ne peut pas le voir.",
  },
  kept: {
    title: "Ce qui est conservé, combien de temps, et comment y mettre fin",
    session:
      "Votre mot de passe sert une seule fois, pour la connexion, et n’est pas conservé. Rollcall conserve, chiffrés, la session que {provider} ouvre en retour, ainsi que le nom, l’adresse e-mail et le numéro de téléphone du compte.",
    secret:
      "Rollcall conserve, chiffrée, la clé que vous saisissez, car {provider} la demande à chaque requête, ainsi que le nom, l’adresse e-mail et le numéro de téléphone du compte.",
    settings:
      "Ce que vous choisissez pour « {fields} » est conservé, chiffré, avec le lien entre les deux systèmes.",
    data: "Les données que lit {client} sont conservées, chiffrées, jusqu’à 14 jours après leur récupération. Si les changements sont signalés à {client}, la dernière liste des salariés est conservée à titre de comparaison tant que dure la connexion.",
    end: "Pour mettre fin à la connexion, demandez à {client} de la supprimer : l’accès cesse aussitôt, et la session et les données sont effacées ici. Changer votre mot de passe ou révoquer la clé chez {provider} y met généralement fin aussi.",
    after: "{client} est responsable des données déjà lues.",
  },
  working: {
    text: "{provider} vérifie votre saisie. Cela prend généralement quelques secondes et rarement plus d’une minute.",
    stay: "Vous n’avez rien à faire : cette page avance d’elle-même. D’ici là, rien n’est partagé avec {client}.",
    refresh: "Vérifier maintenant",
  },
  approval: {
    stay: "Une fois la connexion approuvée, cette page continue d’elle-même, ce qui peut prendre une demi-minute. D’ici là, rien n’est transmis à {client}.",
  },
  refusals: {
    incorrect_username_or_password:
      "{provider} n’a pas accepté ces informations. Vérifiez chacune d’elles et saisissez de nouveau le mot de passe ou la clé. En cas d’oubli, faites d’abord réinitialiser votre accès chez {provider}.",
    incorrect_mfa_or_otp: "Ce code est erroné ou a expiré. Veuillez en saisir un nouveau.",
    reauthentication_required:
      "{provider} a fermé la session juste après la connexion. Veuillez vous connecter de nouveau.",
    additional_account_setup_required:
      "{provider} vous demande d’abord une autre démarche, par exemple de choisir un nouveau mot de passe. Connectez-vous à {provider} dans un autre onglet, faites ce qui est demandé, puis réessayez ici.",
    captcha_challenge:
      "{provider} veut la preuve qu’une personne se connecte (un captcha), ce qui n’est pas possible d’ici. Connectez-vous une fois à {provider} dans un autre onglet, attendez quelques minutes, puis réessayez ici.",
    insufficient_permission:
      "La connexion a réussi, mais ce compte n’a pas le droit de lire tout ce qui est demandé. Connectez-vous avec un compte administrateur, ou demandez à un administrateur de {provider} d’accorder les droits à celui-ci.",
  },
  problems: {
    choice: "Veuillez choisir l’une des options.",
    unapproved:
      "La connexion n’a pas été approuvée. Reconnectez-vous et approuvez-la lorsque {provider} vous le demande.",
    unavailable:
      "{provider} ne répond pas ou connaît une surcharge. Votre saisie n’est pas en cause. Veuillez réessayer dans quelques minutes.",
    unsupported:
      "{provider} ne propose pas ce qui est nécessaire à cette connexion. Veuillez annuler et le signaler à {client}.",
    broken:
      "{provider} a répondu de façon inattendue. Veuillez réessayer ; si cela se reproduit, signalez-le à {client}.",
    interrupted:
      "La connexion a été interrompue avant la réponse de {provider}. Veuillez vous connecter de nouveau.",
  },
  failed: {
    text: "{provider} a refusé la connexion trop souvent : cette tentative est terminée et rien n’a été partagé. Revenez à {client} et recommencez lorsque vous aurez les bonnes informations.",
    back: "Revenir à {client}",
  },
  done: {
    text: "La connexion entre {client} et {provider} est établie. Vous pouvez fermer cette page et continuer dans {client}.",
    declined:
      "Vous avez annulé la connexion. {client} n’a obtenu aucun accès et votre saisie a été effacée. Vous pouvez fermer cette page ou recommencer depuis {client}.",
    declinedAgain:
      "Vous avez annulé la connexion et votre saisie a été effacée. L’accès de {client} à {provider} reste tel qu’il était. Vous pouvez fermer cette page ou recommencer depuis {client}.",
  },
  errors: {
    expired:
      "Pour votre sécurité, une connexion n’est possible que pendant un temps limité. Revenez à l’application d’où vous venez et recommencez.",
    used: "Un lien ne sert qu’une fois, dans un seul navigateur. Si vous avez déjà commencé, poursuivez dans le navigateur où vous avez commencé. Sinon, revenez à l’application d’où vous venez et demandez un nouveau lien.",
    unknown:
      "Elle est peut-être terminée ou expirée, ou bien elle a été commencée dans un autre navigateur. Revenez à l’application d’où vous venez et recommencez. Si vous retombez sur cette page, vérifiez que votre navigateur y autorise les cookies.",
    link: "Le lien est incomplet ou incorrect. Rien n’a été partagé. Revenez à l’application d’où vous venez et réessayez ; si cela se reproduit, prévenez son assistance.",
    detail: "À l’attention de ses développeurs :",
    clientUnknown: "client_id est inconnu.",
    redirectUnknown:
      "redirect_uri n’est pas l’une des adresses enregistrées du client, à l’octet près.",
    repeated: "client_id ou redirect_uri manque ou figure plusieurs fois.",
    forged:
      "Il ne provient pas de cette page telle qu’elle a été affichée. Rien n’a été transmis à votre logiciel.",
    tooMany:
      "Trop de requêtes sont venues de votre réseau. Veuillez attendre une minute, puis réessayer.",
    unavailable:
      "La connexion ne peut pas être affichée pour le moment. Veuillez réessayer dans une minute.",
    server:
      "L’erreur vient de nous. Veuillez réessayer dans une minute ; si cela se reproduit, prévenez l’application d’où vous venez.",
    again: "Réessayer",
    reopen: "Rouvrir la connexion",
  },
  footer: {
    about: "Rollcall relie des applications aux logiciels RH et de paie, en lecture seule.",
    language: "Langue",
  },
  adapters: {
    "Please fill in this field.": "Veuillez remplir ce champ.",
    "Please choose one of these.": "Veuillez choisir l’une des options.",
    "Please type less in this field.": "Veuillez raccourcir la saisie dans ce champ.",
    "This address cannot be used. It has to be public and to begin with https.":
      "Cette adresse ne peut pas être utilisée. Elle doit être publique et commencer par https.",
    "User name": "Nom d’utilisateur",
    Password: "Mot de passe",
    "API key": "Clé d’API",
    Email: "Adresse e-mail",
    "The name selects what happens: user_good works, user_mfa asks for a code (123456), user_bad_password is refused.":
      "Le nom détermine ce qui se passe : user_good fonctionne, user_mfa demande un code (123456), user_bad_password est refusé.",
    "Any password works.": "N’importe quel mot de passe convient.",
    "Any key works.": "N’importe quelle clé convient.",
    "Six-digit code from your authenticator app":
      "Code à six chiffres de votre application d’authentification",
    "Address of your Odoo": "Adresse de votre Odoo",
    "What your browser shows when you use Odoo.":
      "Celle que votre navigateur affiche lorsque vous utilisez Odoo.",
    "Please type a web address, such as https://example.odoo.com.":
      "Veuillez saisir une adresse web, par exemple https://example.odoo.com.",
    Database: "Base de données",
    "Leave this empty if your Odoo has only one. On odoo.com it is the part before .odoo.com.":
      "Laissez ce champ vide si votre Odoo n’en a qu’une. Sur odoo.com, c’est la partie avant .odoo.com.",
    "There is no Odoo at this address.": "Il n’y a pas d’Odoo à cette adresse.",
    "This address leads to another one. Please type the one that your browser shows when you use Odoo.":
      "Cette adresse renvoie vers une autre. Veuillez saisir celle que votre navigateur affiche lorsque vous utilisez Odoo.",
    "There is no such database at this address.":
      "Cette base de données n’existe pas à cette adresse.",
    "This Odoo has several databases. Please type the name of yours, or ask your administrator for it.":
      "Cet Odoo a plusieurs bases de données. Veuillez saisir le nom de la vôtre ou le demander à votre administrateur.",
    "This Odoo does not tell the name of its database. Please type it, or ask your administrator for it.":
      "Cet Odoo n’indique pas le nom de sa base de données. Veuillez le saisir ou le demander à votre administrateur.",
    "This is another Odoo than the one that is connected. Please use the same address and database as before.":
      "Ce n’est pas l’Odoo qui est connecté. Veuillez utiliser la même adresse et la même base de données qu’avant.",
    "Code from your authenticator app or from the e-mail that Odoo sent you":
      "Code de votre application d’authentification ou de l’e-mail qu’Odoo vous a envoyé",
  },
};

import { CURRENCIES } from '../src/core/money.js';
import type { PlaceTexts } from '../src/core/texts.js';

/**
 * The countries (ISO 3166-1) and time zones (IANA) that clients are sent, and the names of currencies. They are listed here because
 * runtimes differ in what they know. The build puts them into the texts of the package.
 */

/** Two letters, three letters, number and English name of each country. */
const COUNTRIES = `
ADAND020Andorra;AEARE784United Arab Emirates;AFAFG004Afghanistan;AGATG028Antigua and Barbuda;AIAIA660Anguilla;
ALALB008Albania;AMARM051Armenia;AOAGO024Angola;AQATA010Antarctica;ARARG032Argentina;ASASM016American Samoa;
ATAUT040Austria;AUAUS036Australia;AWABW533Aruba;AXALA248Åland Islands;AZAZE031Azerbaijan;
BABIH070Bosnia and Herzegovina;BBBRB052Barbados;BDBGD050Bangladesh;BEBEL056Belgium;BFBFA854Burkina Faso;
BGBGR100Bulgaria;BHBHR048Bahrain;BIBDI108Burundi;BJBEN204Benin;BLBLM652Saint Barthélemy;BMBMU060Bermuda;
BNBRN096Brunei;BOBOL068Bolivia;BQBES535Bonaire, Sint Eustatius and Saba;BRBRA076Brazil;BSBHS044Bahamas;
BTBTN064Bhutan;BVBVT074Bouvet Island;BWBWA072Botswana;BYBLR112Belarus;BZBLZ084Belize;CACAN124Canada;
CCCCK166Cocos (Keeling) Islands;CDCOD180Congo, Democratic Republic of the;CFCAF140Central African Republic;
CGCOG178Congo;CHCHE756Switzerland;CICIV384Côte d'Ivoire;CKCOK184Cook Islands;CLCHL152Chile;CMCMR120Cameroon;
CNCHN156China;COCOL170Colombia;CRCRI188Costa Rica;CUCUB192Cuba;CVCPV132Cabo Verde;CWCUW531Curaçao;
CXCXR162Christmas Island;CYCYP196Cyprus;CZCZE203Czechia;DEDEU276Germany;DJDJI262Djibouti;DKDNK208Denmark;
DMDMA212Dominica;DODOM214Dominican Republic;DZDZA012Algeria;ECECU218Ecuador;EEEST233Estonia;EGEGY818Egypt;
EHESH732Western Sahara;ERERI232Eritrea;ESESP724Spain;ETETH231Ethiopia;FIFIN246Finland;FJFJI242Fiji;
FKFLK238Falkland Islands (Malvinas);FMFSM583Micronesia;FOFRO234Faroe Islands;FRFRA250France;GAGAB266Gabon;
GBGBR826United Kingdom;GDGRD308Grenada;GEGEO268Georgia;GFGUF254French Guiana;GGGGY831Guernsey;GHGHA288Ghana;
GIGIB292Gibraltar;GLGRL304Greenland;GMGMB270Gambia;GNGIN324Guinea;GPGLP312Guadeloupe;GQGNQ226Equatorial Guinea;
GRGRC300Greece;GSSGS239South Georgia and the South Sandwich Islands;GTGTM320Guatemala;GUGUM316Guam;
GWGNB624Guinea-Bissau;GYGUY328Guyana;HKHKG344Hong Kong;HMHMD334Heard Island and McDonald Islands;
HNHND340Honduras;HRHRV191Croatia;HTHTI332Haiti;HUHUN348Hungary;IDIDN360Indonesia;IEIRL372Ireland;ILISR376Israel;
IMIMN833Isle of Man;ININD356India;IOIOT086British Indian Ocean Territory;IQIRQ368Iraq;IRIRN364Iran;
ISISL352Iceland;ITITA380Italy;JEJEY832Jersey;JMJAM388Jamaica;JOJOR400Jordan;JPJPN392Japan;KEKEN404Kenya;
KGKGZ417Kyrgyzstan;KHKHM116Cambodia;KIKIR296Kiribati;KMCOM174Comoros;KNKNA659Saint Kitts and Nevis;
KPPRK408North Korea;KRKOR410South Korea;KWKWT414Kuwait;KYCYM136Cayman Islands;KZKAZ398Kazakhstan;LALAO418Laos;
LBLBN422Lebanon;LCLCA662Saint Lucia;LILIE438Liechtenstein;LKLKA144Sri Lanka;LRLBR430Liberia;LSLSO426Lesotho;
LTLTU440Lithuania;LULUX442Luxembourg;LVLVA428Latvia;LYLBY434Libya;MAMAR504Morocco;MCMCO492Monaco;
MDMDA498Moldova;MEMNE499Montenegro;MFMAF663Saint Martin (French part);MGMDG450Madagascar;
MHMHL584Marshall Islands;MKMKD807North Macedonia;MLMLI466Mali;MMMMR104Myanmar;MNMNG496Mongolia;MOMAC446Macao;
MPMNP580Northern Mariana Islands;MQMTQ474Martinique;MRMRT478Mauritania;MSMSR500Montserrat;MTMLT470Malta;
MUMUS480Mauritius;MVMDV462Maldives;MWMWI454Malawi;MXMEX484Mexico;MYMYS458Malaysia;MZMOZ508Mozambique;
NANAM516Namibia;NCNCL540New Caledonia;NENER562Niger;NFNFK574Norfolk Island;NGNGA566Nigeria;NINIC558Nicaragua;
NLNLD528Netherlands;NONOR578Norway;NPNPL524Nepal;NRNRU520Nauru;NUNIU570Niue;NZNZL554New Zealand;OMOMN512Oman;
PAPAN591Panama;PEPER604Peru;PFPYF258French Polynesia;PGPNG598Papua New Guinea;PHPHL608Philippines;
PKPAK586Pakistan;PLPOL616Poland;PMSPM666Saint Pierre and Miquelon;PNPCN612Pitcairn;PRPRI630Puerto Rico;
PSPSE275Palestine;PTPRT620Portugal;PWPLW585Palau;PYPRY600Paraguay;QAQAT634Qatar;REREU638Réunion;ROROU642Romania;
RSSRB688Serbia;RURUS643Russia;RWRWA646Rwanda;SASAU682Saudi Arabia;SBSLB090Solomon Islands;SCSYC690Seychelles;
SDSDN729Sudan;SESWE752Sweden;SGSGP702Singapore;SHSHN654Saint Helena, Ascension and Tristan da Cunha;
SISVN705Slovenia;SJSJM744Svalbard and Jan Mayen;SKSVK703Slovakia;SLSLE694Sierra Leone;SMSMR674San Marino;
SNSEN686Senegal;SOSOM706Somalia;SRSUR740Suriname;SSSSD728South Sudan;STSTP678Sao Tome and Principe;
SVSLV222El Salvador;SXSXM534Sint Maarten (Dutch part);SYSYR760Syria;SZSWZ748Eswatini;
TCTCA796Turks and Caicos Islands;TDTCD148Chad;TFATF260French Southern Territories;TGTGO768Togo;THTHA764Thailand;
TJTJK762Tajikistan;TKTKL772Tokelau;TLTLS626Timor-Leste;TMTKM795Turkmenistan;TNTUN788Tunisia;TOTON776Tonga;
TRTUR792Türkiye;TTTTO780Trinidad and Tobago;TVTUV798Tuvalu;TWTWN158Taiwan;TZTZA834Tanzania;UAUKR804Ukraine;
UGUGA800Uganda;UMUMI581United States Minor Outlying Islands;USUSA840United States;UYURY858Uruguay;
UZUZB860Uzbekistan;VAVAT336Holy See (Vatican City State);VCVCT670Saint Vincent and the Grenadines;
VEVEN862Venezuela;VGVGB092British Virgin Islands;VIVIR850U.S. Virgin Islands;VNVNM704Vietnam;VUVUT548Vanuatu;
WFWLF876Wallis and Futuna;WSWSM882Samoa;YEYEM887Yemen;YTMYT175Mayotte;ZAZAF710South Africa;ZMZMB894Zambia;
ZWZWE716Zimbabwe`;

/** The zones of each region. */
const ZONES: Readonly<Record<string, string>> = {
  Africa: `
Abidjan Accra Addis_Ababa Algiers Asmara Bamako Bangui Banjul Bissau Blantyre Brazzaville Bujumbura
Cairo Casablanca Ceuta Conakry Dakar Dar_es_Salaam Djibouti Douala El_Aaiun Freetown Gaborone Harare
Johannesburg Juba Kampala Khartoum Kigali Kinshasa Lagos Libreville Lome Luanda Lubumbashi Lusaka
Malabo Maputo Maseru Mbabane Mogadishu Monrovia Nairobi Ndjamena Niamey Nouakchott Ouagadougou
Porto-Novo Sao_Tome Tripoli Tunis Windhoek`,
  America: `
Adak Anchorage Anguilla Antigua Araguaina Argentina/Buenos_Aires Argentina/Catamarca Argentina/Cordoba
Argentina/Jujuy Argentina/La_Rioja Argentina/Mendoza Argentina/Rio_Gallegos Argentina/Salta
Argentina/San_Juan Argentina/San_Luis Argentina/Tucuman Argentina/Ushuaia Aruba Asuncion Atikokan Bahia
Bahia_Banderas Barbados Belem Belize Blanc-Sablon Boa_Vista Bogota Boise Cambridge_Bay Campo_Grande
Cancun Caracas Cayenne Cayman Chicago Chihuahua Ciudad_Juarez Costa_Rica Coyhaique Creston Cuiaba
Curacao Danmarkshavn Dawson Dawson_Creek Denver Detroit Dominica Edmonton Eirunepe El_Salvador
Fort_Nelson Fortaleza Glace_Bay Goose_Bay Grand_Turk Grenada Guadeloupe Guatemala Guayaquil Guyana
Halifax Havana Hermosillo Indiana/Indianapolis Indiana/Knox Indiana/Marengo Indiana/Petersburg
Indiana/Tell_City Indiana/Vevay Indiana/Vincennes Indiana/Winamac Inuvik Iqaluit Jamaica Juneau
Kentucky/Louisville Kentucky/Monticello Kralendijk La_Paz Lima Los_Angeles Lower_Princes Maceio Managua
Manaus Marigot Martinique Matamoros Mazatlan Menominee Merida Metlakatla Mexico_City Miquelon Moncton
Monterrey Montevideo Montserrat Nassau New_York Nome Noronha North_Dakota/Beulah North_Dakota/Center
North_Dakota/New_Salem Nuuk Ojinaga Panama Paramaribo Phoenix Port-au-Prince Port_of_Spain Porto_Velho
Puerto_Rico Punta_Arenas Rankin_Inlet Recife Regina Resolute Rio_Branco Santarem Santiago Santo_Domingo
Sao_Paulo Scoresbysund Sitka St_Barthelemy St_Johns St_Kitts St_Lucia St_Thomas St_Vincent
Swift_Current Tegucigalpa Thule Tijuana Toronto Tortola Vancouver Whitehorse Winnipeg Yakutat`,
  Antarctica: `Casey Davis DumontDUrville Macquarie Mawson McMurdo Palmer Rothera Syowa Troll Vostok`,
  Arctic: `Longyearbyen`,
  Asia: `
Aden Almaty Amman Anadyr Aqtau Aqtobe Ashgabat Atyrau Baghdad Bahrain Baku Bangkok Barnaul Beirut
Bishkek Brunei Chita Colombo Damascus Dhaka Dili Dubai Dushanbe Famagusta Gaza Hebron Ho_Chi_Minh
Hong_Kong Hovd Irkutsk Jakarta Jayapura Jerusalem Kabul Kamchatka Karachi Kathmandu Khandyga Kolkata
Krasnoyarsk Kuala_Lumpur Kuching Kuwait Macau Magadan Makassar Manila Muscat Nicosia Novokuznetsk
Novosibirsk Omsk Oral Phnom_Penh Pontianak Pyongyang Qatar Qostanay Qyzylorda Riyadh Sakhalin Samarkand
Seoul Shanghai Singapore Srednekolymsk Taipei Tashkent Tbilisi Tehran Thimphu Tokyo Tomsk Ulaanbaatar
Urumqi Ust-Nera Vientiane Vladivostok Yakutsk Yangon Yekaterinburg Yerevan`,
  Atlantic: `Azores Bermuda Canary Cape_Verde Faroe Madeira Reykjavik South_Georgia St_Helena Stanley`,
  Australia: `Adelaide Brisbane Broken_Hill Darwin Eucla Hobart Lindeman Lord_Howe Melbourne Perth Sydney`,
  Europe: `
Amsterdam Andorra Astrakhan Athens Belgrade Berlin Bratislava Brussels Bucharest Budapest Busingen
Chisinau Copenhagen Dublin Gibraltar Guernsey Helsinki Isle_of_Man Istanbul Jersey Kaliningrad Kirov
Kyiv Lisbon Ljubljana London Luxembourg Madrid Malta Mariehamn Minsk Monaco Moscow Oslo Paris Podgorica
Prague Riga Rome Samara San_Marino Sarajevo Saratov Simferopol Skopje Sofia Stockholm Tallinn Tirane
Ulyanovsk Vaduz Vatican Vienna Vilnius Volgograd Warsaw Zagreb Zurich`,
  Indian: `Antananarivo Chagos Christmas Cocos Comoro Kerguelen Mahe Maldives Mauritius Mayotte Reunion`,
  Pacific: `
Apia Auckland Bougainville Chatham Chuuk Easter Efate Fakaofo Fiji Funafuti Galapagos Gambier
Guadalcanal Guam Honolulu Kanton Kiritimati Kosrae Kwajalein Majuro Marquesas Midway Nauru Niue Norfolk
Noumea Pago_Pago Palau Pitcairn Pohnpei Port_Moresby Rarotonga Saipan Tahiti Tarawa Tongatapu Wake
Wallis`,
};

export const PLACE_TEXTS: PlaceTexts = {
  countries: countries(),
  currencies: CURRENCIES.map(({ code, number, currency }) => ({ code, number, name: currency })),
  timezones: timezones(),
};

/** The countries by their two letters. */
function countries(): PlaceTexts['countries'] {
  return COUNTRIES.replaceAll('\n', '')
    .split(';')
    .map((row) => ({
      twoLetterCode: row.slice(0, 2),
      threeLetterCode: row.slice(2, 5),
      numericCode: row.slice(5, 8),
      name: row.slice(8),
    }));
}

/** The time zones by their names, such as `Australia/Sydney`. */
function timezones(): string[] {
  const regional = Object.entries(ZONES).flatMap(([region, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => `${region}/${name}`),
  );
  return [...regional, 'UTC'];
}
